import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { until } from '../../../tools/seed/api';

/** A time for which an instance's clock was off, Unix ms of the right clock. */
export interface ClockSkew {
  readonly instance: string;
  readonly fromMs: number;
  untilMs: number;
}

/** Wall clocks of services, each of which can be set minutes off while it runs. */
export class SkewedClocks {
  /** All that were; one that lasts has no end yet. */
  readonly skews: ClockSkew[] = [];

  private constructor(private readonly folder: string) {}

  static async open(): Promise<SkewedClocks> {
    return new SkewedClocks(await mkdtemp(path.join(tmpdir(), 'skewed-clocks-')));
  }

  /** What services need in their environment to have such a clock. */
  get environment(): Record<string, string> {
    const preload = `--require "${path.join(__dirname, 'skewed-clock.cjs')}"`;
    return {
      SKEWED_CLOCK_FOLDER: this.folder,
      NODE_OPTIONS: [process.env.NODE_OPTIONS, preload].filter(Boolean).join(' '),
    };
  }

  /** Sets a running instance's clock off by so much, 0: right again; resolves when it is. */
  async skew(instance: string, skewMs: number): Promise<void> {
    const file = path.join(this.folder, instance);
    const before = this.skews.find((each) => each.instance === instance && each.untilMs === Infinity);
    if (skewMs !== 0) this.skews.push({ instance, fromMs: Date.now(), untilMs: Infinity });
    writeFileSync(`${file}.next`, String(skewMs));
    renameSync(`${file}.next`, file);
    await until(`the clock of ${instance} being off by ${skewMs} ms`, 30_000, () =>
      Promise.resolve(readFileSync(`${file}.is`, 'utf8') === String(skewMs) ? true : undefined),
    );
    if (before) before.untilMs = Date.now();
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

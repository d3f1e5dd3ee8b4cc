import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { until } from '../../../tools/seed/api';
import { preloading } from '../../../tools/stack/preload';

/** A period in which an instance's clock was skewed, in Unix ms of the correct clock. */
export interface ClockSkew {
  readonly instance: string;
  readonly fromMs: number;
  untilMs: number;
}

/** Adjustable wall clocks of services, which can be skewed while they run. */
export class SkewedClocks {
  /** All skews; the current one has no end yet. */
  readonly skews: ClockSkew[] = [];

  private constructor(private readonly folder: string) {}

  static async open(): Promise<SkewedClocks> {
    return new SkewedClocks(await mkdtemp(path.join(tmpdir(), 'skewed-clocks-')));
  }

  /** The environment variables that give a service an adjustable clock. */
  get environment(): Record<string, string> {
    return {
      SKEWED_CLOCK_FOLDER: this.folder,
      NODE_OPTIONS: preloading(path.join(__dirname, 'skewed-clock.cjs')),
    };
  }

  /** Skews the clock of a running instance; 0 corrects it. Resolves when the skew is in effect. */
  async skew(instance: string, skewMs: number): Promise<void> {
    const file = path.join(this.folder, instance);
    const before = this.skews.find((each) => each.instance === instance && each.untilMs === Infinity);
    if (skewMs !== 0) this.skews.push({ instance, fromMs: Date.now(), untilMs: Infinity });
    writeFileSync(`${file}.next`, String(skewMs));
    renameSync(`${file}.next`, file);
    await until(`the clock of ${instance} being skewed by ${skewMs} ms`, 30_000, () =>
      Promise.resolve(readFileSync(`${file}.is`, 'utf8') === String(skewMs) ? true : undefined),
    );
    if (before) before.untilMs = Date.now();
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

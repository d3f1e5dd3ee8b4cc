import { Logger } from '@podium/runtime/log';
import { Queryable } from '@podium/runtime/postgres';
import { LiveTableSet } from '../table-sets/live-table-set';
import { readTableSetVersion } from '../table-sets/table-set-version.queries';
import { reportReads } from './read-latencies.store';
import { ReadSlowdown } from './read-slowdown';

/** Reads count as ongoing for this time after the last one. */
const servingMs = 1_000;
const reportEveryMs = 500;

/** Pause between two measurements. */
export const probeEveryMs = 25;

/** What the probe needs. */
export interface ReadProbeParts {
  /** The statements of the reads: a probe waits for a connection as a read does. */
  readonly db: Queryable;
  /** For reports: statements of the reads must only read. */
  readonly reports: Queryable;
  readonly liveSet: LiveTableSet;
  /** Name of this instance in the reports. */
  readonly instance: string;
  readonly logger: Logger;
}

/**
 * Measures, while reads are served, what a read waits for: the event loop, a connection, and Postgres. It times the
 * statement with which most reads begin, because its work is always the same; the latency of the reads themselves changes
 * with what clients ask for. Twice a second it reports the result to the instances that apply changes.
 */
export class ReadProbe {
  private readonly slowdown = new ReadSlowdown();
  private lastReadAtMs = -Infinity;
  private lastReportAtMs = -Infinity;

  constructor(private readonly parts: ReadProbeParts) {}

  /** Call this for every read. */
  noteRead(): void {
    this.lastReadAtMs = performance.now();
  }

  /** One measurement, while reads are served. A failed one is left out: the reads themselves report that Postgres is away. */
  async run(): Promise<void> {
    if (performance.now() - this.lastReadAtMs > servingMs) return;
    try {
      await this.probe();
    } catch (error) {
      this.parts.logger.debug({ err: error }, 'the latency of reads was not measured');
    }
  }

  private async probe(): Promise<void> {
    const { db, reports, liveSet, instance } = this.parts;
    const beganAtMs = Date.now();
    const began = performance.now();
    await readTableSetVersion(db, liveSet.tables());
    const ended = performance.now();
    this.slowdown.add(beganAtMs, ended - began);
    if (ended - this.lastReportAtMs < reportEveryMs) return;
    this.lastReportAtMs = ended;
    await reportReads(reports, instance, this.slowdown.current());
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { OutboxRecord, appendOutbox } from '@podium/runtime/outbox';
import { Pool, Queryable, inTransaction, queryable } from '@podium/runtime/postgres';
import { erasureRecord } from '../../erasures/erase-users';
import { integrationRecord } from '../../integrations/integration-record';
import { apiKeyRecord } from '../../keys/api-key-record';
import { linkRecord } from '../../links/link';
import { schema } from '../../migrations/schema';
import {
  RepublishedTable,
  countWaiting,
  holdWriters,
  readErasures,
  readIntegrations,
  readKeys,
  readNewestLinks,
} from './republish.store';

/** What can be published again. */
export type Republished = 'links' | 'integrations' | 'keys' | 'erasures';

/** The relay takes nothing: what was published so far stays, and beginning again does no harm. */
export class OutboxStandsStillError extends Error {}

/** Bounds of the work. */
export interface RepublishOptions {
  /** Records per transaction, for which writers of the table wait. */
  readonly pageRecords?: number;
  /** How long the outbox may stand still, milliseconds. */
  readonly patienceMs?: number;
  /** Told after each page how many records were handed over so far. */
  readonly onPage?: (records: number) => void;
}

/** Reads one page of states after a place and returns their records and the place for the next one; null at the end. */
type ReadPage<Place> = (tx: Queryable, after: Place | null, limit: number) => Promise<Page<Place>>;

interface Page<Place> {
  readonly records: OutboxRecord[];
  readonly last: Place | null;
}

/**
 * Writes the present state of every link, integration, key or erasure to its topic again, through the outbox: each record has a
 * higher revision than all before it, so that views take it whatever they hold. One page at a time, so that what happens
 * meanwhile is not held up behind it. Returns the number of records.
 */
export function republish(pool: Pool, what: Republished, options: RepublishOptions = {}): Promise<number> {
  switch (what) {
    case 'links':
      return run(pool, 'links', options, async (tx, after: { platform: string; sub: string } | null, limit) => {
        const links = await readNewestLinks(tx, after, limit);
        return { records: links.map(linkRecord), last: links.at(-1) ?? null };
      });
    case 'integrations':
      return run(pool, 'integrations', options, async (tx, after: string | null, limit) => {
        const integrations = await readIntegrations(tx, after, limit);
        const nowMs = Date.now();
        return {
          records: integrations.map((each) => integrationRecord(each, each.contracts, nowMs)),
          last: integrations.at(-1)?.platform ?? null,
        };
      });
    case 'erasures':
      return run(pool, 'erasures', options, async (tx, after: string | null, limit) => {
        const erasures = await readErasures(tx, after, limit);
        return { records: erasures.map(erasureRecord), last: erasures.at(-1)?.erasureId ?? null };
      });
    case 'keys':
      return run(pool, 'api_keys', options, async (tx, after: string | null, limit) => {
        const keys = await readKeys(tx, after, limit);
        return { records: keys.map((key) => apiKeyRecord(key, key.platform)), last: keys.at(-1)?.keyId ?? null };
      });
  }
}

async function run<Place>(
  pool: Pool,
  table: RepublishedTable,
  { pageRecords = 500, patienceMs = 60_000, onPage }: RepublishOptions,
  read: ReadPage<Place>,
): Promise<number> {
  let total = 0;
  for (let after: Place | null = null; ;) {
    await untilDrained(queryable(pool), pageRecords, patienceMs);
    const page: Page<Place> = await inTransaction(pool, async (tx) => {
      await holdWriters(tx, table);
      const found = await read(tx, after, pageRecords);
      await appendOutbox(tx, schema, found.records);
      return found;
    });
    if (page.last === null) break;
    after = page.last;
    total += page.records.length;
    onPage?.(total);
  }
  await untilDrained(queryable(pool), 1, patienceMs);
  return total;
}

/** Waits until fewer than `fewer` rows wait for the relay; gives up when their number does not fall. */
async function untilDrained(db: Queryable, fewer: number, patienceMs: number): Promise<void> {
  let least = Infinity;
  for (let sinceMs = Date.now(); ;) {
    const waiting = await countWaiting(db, 100_000);
    if (waiting < fewer) return;
    if (waiting < least) {
      least = waiting;
      sinceMs = Date.now();
    } else if (Date.now() - sinceMs > patienceMs)
      throw new OutboxStandsStillError(
        `${waiting} records wait in linkage's outbox and none leaves: start linkage, or look at its log, and begin again.`,
      );
    await sleep(100);
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { OutboxRecord, appendOutbox } from '@podium/runtime/outbox';
import { Pool, Queryable, inTransaction, queryable } from '@podium/runtime/postgres';
import { erasureRecord } from '../../erasures/erase-users';
import { integrationRecord } from '../../integrations/integration-record';
import { apiKeyRecord } from '../../keys/every-kind/api-key-record';
import { linkRecord } from '../../links/link';
import { schema } from '../../migrations/schema';
import {
  RepublishedTable,
  blockWriters,
  forgetPositions,
  readErasures,
  readIntegrations,
  readKeys,
  readNewestLinks,
  readWaiting,
} from './republish.store';

/** Kinds of state that can be published again. */
export type Republished = 'links' | 'integrations' | 'keys' | 'erasures';

/** The relay publishes nothing. Records published so far remain valid, and running the command again is safe. */
export class OutboxStalledError extends Error {}

/** Limits of a run. */
export interface RepublishOptions {
  /** Records per transaction; writers of the table wait for each transaction. */
  readonly pageRecords?: number;
  /** How long the outbox may make no progress, milliseconds. */
  readonly patienceMs?: number;
  /** Called after each page with the number of records appended to the outbox so far. */
  readonly onPage?: (records: number) => void;
}

/** Reads one page of states after a cursor and returns their records and the next cursor; null at the end. */
type ReadPage<Place> = (tx: Queryable, after: Place | null, limit: number) => Promise<Page<Place>>;

interface Page<Place> {
  readonly records: OutboxRecord[];
  readonly last: Place | null;
}

/**
 * Publishes the current state of every link, integration, key or erasure again, through the outbox. Each record has a higher
 * revision than all before it, so that every view applies it. It writes one page at a time, so that concurrent changes do
 * not wait for the whole run. What waits until the views have read its record waits for these records instead. Returns the number of
 * records.
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
  let highestId = Infinity;
  const untilDrained = (fewer: number): Promise<void> =>
    waitUntil(queryable(pool), ({ count, lowestId }) => count < fewer || lowestId > highestId, patienceMs);
  for (let after: Place | null = null; ;) {
    await untilDrained(pageRecords);
    const page: Page<Place> = await inTransaction(pool, async (tx) => {
      await blockWriters(tx, table);
      const found = await read(tx, after, pageRecords);
      const ids = await appendOutbox(tx, schema, found.records);
      highestId = ids.at(-1) ?? highestId;
      return found;
    });
    if (page.last === null) break;
    after = page.last;
    total += page.records.length;
    onPage?.(total);
  }
  await untilDrained(1);
  await forgetPositions(queryable(pool), table);
  return total;
}

/**
 * Waits until enough rows of the outbox are published; throws when the relay publishes none for `patienceMs`. While others
 * write, the number of rows need not fall, so the lowest id shows progress too.
 */
async function waitUntil(
  db: Queryable,
  isEnough: (waiting: { count: number; lowestId: number }) => boolean,
  patienceMs: number,
): Promise<void> {
  let least = Infinity;
  let lowest = 0;
  for (let sinceMs = Date.now(); ;) {
    const { count, lowestId } = await readWaiting(db, 100_000);
    if (isEnough({ count, lowestId })) return;
    if (count < least || lowestId > lowest) {
      least = Math.min(least, count);
      lowest = Math.max(lowest, lowestId);
      sinceMs = Date.now();
    } else if (Date.now() - sinceMs > patienceMs)
      throw new OutboxStalledError(
        `${count} records wait in linkage's outbox and none is published: start linkage or check its log, then run this again.`,
      );
    await sleep(100);
  }
}

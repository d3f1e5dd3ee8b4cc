import { changeDefinitionOf, competitionKey, decodeRecord, topics } from '@podium/messages';
import { Queryable, inOwnSession, inTransaction } from '@podium/runtime/postgres';
import { applyChanges } from '../projection/apply-changes';
import { readPositions } from '../projection/positions.store';
import { DocumentChange, DocumentKey, ReadChange, readRecord } from '../projection/read-change';
import { storedContent } from '../projection/stored-content';
import { otherSet, tablesOf } from '../table-sets/table-set';
import { NewerDocument, SetPair, addMissing, findNewer, lockNext, readKeys, readNewer } from './carry-over.store';
import { Rebuild, noteProgress } from './rebuilds.store';
import { RebuildDependencies } from './run-rebuild';
import { TopicFollower } from './topic-follower';

/** What a rebuild took from the live set. */
export interface CarriedOver {
  /** Number of documents, and of deletions, that the topic has lost. */
  readonly carried: number;
  /** Number of those that do not match the schema of their kind; the new set has them as the topic does. */
  readonly refused: number;
  /** The first of them. */
  readonly firstRefused: readonly RefusedDocument[];
}

/** A stored document that is invalid in this release. */
export interface RefusedDocument {
  readonly key: string;
  readonly reason: string;
}

/** Maximum number of refused documents that are listed individually. */
const maxListedRefused = 20;

/** Documents of one transaction, and keys of one statement. */
const pageBounds = { keys: 500, bytes: 4 * 1024 * 1024 };

/**
 * Applies to the set of a rebuild what the live set has beyond the topic. The topic keeps the last record of a key: after
 * compaction, a document or deletion with the highest revision is gone when an older one, or an invalid record, came after
 * it. The live set has it. These are carried over:
 *
 * - documents and deletions at a higher revision than in the new set;
 * - those that the new set lacks although a record of their key could not be applied.
 *
 * Others that the new set lacks were removed by a tombstone. The follower must be at the end of the topic once; it continues
 * to apply changes meanwhile.
 */
export async function carryOver(
  { pool, row = topics.competitionChanges }: RebuildDependencies,
  rebuild: Rebuild,
  follower: TopicFollower,
): Promise<CarriedOver> {
  const sets = { live: tablesOf(otherSet(rebuild.tables.set)), next: rebuild.tables };
  // No transaction is open between the pages: an open one keeps vacuum from removing rows.
  return inOwnSession(pool, async (session) => {
    await session.inTransaction((tx) => findNewer(tx, sets));
    for (const keys of inPages(follower.seen.deadDocuments(), pageBounds.keys))
      await addMissing(session.db, sets, keys);
    let carried = 0;
    let refused = 0;
    const firstRefused: RefusedDocument[] = [];
    for (let after = 0; ;) {
      const keys = await readKeys(session.db, after, pageBounds);
      if (keys.length === 0) return { carried, refused, firstRefused };
      // Otherwise changes count that the live set has before the follower.
      await follower.reachEnd(() => undefined);
      // Before the documents: the live set continues, and has at least what these positions say. No transaction waits for Kafka.
      const live = await follower.ofTopic(await readPositions(session.db, sets.live, row.name));
      const page = await inTransaction(pool, (tx) => carryPage(tx, { rebuild, follower, sets, live }, keys));
      carried += page.carried;
      refused += page.refused.length;
      firstRefused.push(...page.refused.slice(0, maxListedRefused - firstRefused.length));
      after = keys[keys.length - 1].place;
    }
  });
}

interface PageParts {
  readonly rebuild: Rebuild;
  readonly follower: TopicFollower;
  readonly sets: SetPair;
  /** Positions that the live set has reached. */
  readonly live: ReadonlyMap<number, bigint>;
}

async function carryPage(
  tx: Queryable,
  { rebuild, follower, sets, live }: PageParts,
  keys: readonly DocumentKey[],
): Promise<{ carried: number; refused: RefusedDocument[] }> {
  await lockNext(tx, sets);
  const newer = await readNewer(tx, sets, keys);
  const changes: DocumentChange[] = [];
  const refused: RefusedDocument[] = [];
  for (const document of newer) {
    if (document.isMissing && !follower.seen.isDead(document)) continue;
    // The live set is behind: this is what the tombstone removes.
    if (follower.seen.hasTombstoneAfter(live, document)) continue;
    const read = readStored(document);
    if (read.ok) changes.push(read.change);
    else refused.push({ key: competitionKey(document.kind, document.id), reason: read.reason });
  }
  await applyChanges(tx, sets.next, changes);
  await noteProgress(tx, rebuild, { doneMore: 0 });
  return { carried: changes.length, refused };
}

/** The change that leads to a stored document, checked like a record: its schema may have changed since it was stored. */
function readStored({ kind, id, revision, body, beside }: NewerDocument): ReadChange {
  if (body === null) return { ok: true, change: { what: 'delete', revision, content: { kind, id } } };
  const key = competitionKey(kind, id);
  const { type, schemaVersion } = changeDefinitionOf(kind);
  const { document, beside: fields } = storedContent({ kind, id, body, beside });
  const record = {
    ...{ id: key, type, schema_version: schemaVersion, revision, occurred_at: 0, key, source: 'competition-read' },
    data: { id, document, beside: fields },
  };
  const decoded = decodeRecord(topics.competitionChanges.events, Buffer.from(JSON.stringify(record)));
  return decoded.ok ? readRecord(key, decoded.record) : decoded;
}

function* inPages<T>(items: Iterable<T>, size: number): Iterable<T[]> {
  let page: T[] = [];
  for (const item of items) {
    page.push(item);
    if (page.length < size) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

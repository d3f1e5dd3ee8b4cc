import { topics } from '@podium/messages';
import { inTransaction } from '@podium/runtime/postgres';
import { takeDefinitions } from '../../../engagement/src/operations/restore/restore-definitions';
import { RestoreParts, readRecords } from './read-records';

/** Segments and tasks that the topic had and the database lacked. */
export interface RestoredDefinitions {
  /** Made since the restored moment. */
  readonly added: number;
  readonly changed: number;
  readonly unreadable: number;
  /** Published versions that the database has with another content, as `<id> version <version>`. */
  readonly contradictions: readonly string[];
}

/** Takes the segments and tasks that were made or changed since the restored moment from their topic. */
export async function restoreDefinitions(parts: RestoreParts): Promise<RestoredDefinitions> {
  let added = 0;
  let changed = 0;
  const contradictions: string[] = [];
  const unreadable = await readRecords(parts, topics.definitions, async (records) => {
    const published = records.flatMap(({ revision, record }) => (record ? [{ revision, data: record.data }] : []));
    const taken = await inTransaction(parts.pool, (tx) => takeDefinitions(tx, published, parts.by));
    added += taken.added;
    changed += taken.changed;
    for (const name of taken.contradictions) contradictions.push(name);
  });
  return { added, changed, unreadable, contradictions };
}

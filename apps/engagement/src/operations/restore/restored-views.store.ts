import { Queryable } from '@podium/runtime/postgres';
import { Membership, givenMembership, insertMemberships } from '../../memberships/memberships.store';
import { dueByDefinition } from '../../progress/due-times.store';

/** Makes all segments of the users' platforms due now, as a new version of a segment does. */
export async function makeSegmentsDue(tx: Queryable, userRefs: readonly number[], nowS: number): Promise<void> {
  await tx.query(
    `INSERT INTO engagement.due_times AS known (user_ref, definition_id, due_at, reason)
     SELECT user_ref, definition_id, $2, 'definition'
     FROM engagement.users JOIN engagement.definitions USING (platform)
     WHERE user_ref = ANY ($1::bigint[]) AND kind = 'segment' AND state IN ('published', 'paused')
     ON CONFLICT (user_ref, definition_id) DO UPDATE SET ${dueByDefinition}`,
    [userRefs, nowS],
  );
}

/** The definitions that exist in any version. */
export async function readKnownDefinitions(tx: Queryable, definitionIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await tx.query<{ id: string }>(
    `SELECT DISTINCT definition_id AS id FROM engagement.definitions WHERE definition_id = ANY ($1::uuid[])`,
    [definitionIds],
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * Writes memberships that are missing, with `replace` also those that differ; returns the user rows that were written. Rows that
 * keep no account, of the release before, differ by nothing else: all members would be evaluated again.
 */
export function writePublishedMemberships(
  tx: Queryable,
  memberships: readonly Membership[],
  how: 'add' | 'replace',
): Promise<number[]> {
  return insertMemberships(
    tx,
    memberships,
    how === 'add'
      ? 'DO NOTHING'
      : `DO UPDATE SET ${givenMembership}
         WHERE (known.segment_version, known.member, known.changed_at, known.reason)
             <> (excluded.segment_version, excluded.member, excluded.changed_at, excluded.reason)
           OR (known.account_at = known.changed_at AND known.account IS DISTINCT FROM excluded.account)`,
  );
}

/** Pauses every definition in force, with an entry in the audit trail for each, and returns how many there were. */
export async function pauseDefinitions(tx: Queryable, by: string): Promise<number> {
  const { rowCount } = await tx.query(
    `WITH paused AS (
       UPDATE engagement.definitions SET state = 'paused' WHERE state = 'published'
       RETURNING definition_id, kind, organizer_id, version)
     INSERT INTO engagement.audit (operator_id, organizer_id, action, subject, details)
     SELECT $1, organizer_id, kind || '.paused', definition_id, jsonb_build_object('version', version, 'by', 'restore')
     FROM paused`,
    [by],
  );
  return rowCount ?? 0;
}

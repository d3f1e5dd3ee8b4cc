import { DefinitionData } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';
import { isRaisedSql } from '../budgets/raised-budget.queries';
import { auditedChanges } from './definition-record';

/** Locks those of the definitions that have changed since their newest record, in the order of their ids. */
export async function lockUntold(tx: Queryable, definitionIds: readonly string[]): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `SELECT definition_id AS id FROM engagement.told_definitions
     WHERE NOT is_told AND definition_id = ANY ($1::uuid[]) ORDER BY definition_id FOR UPDATE`,
    [definitionIds],
  );
  return rows.map(({ id }) => id);
}

/** Locks the next definitions that have changed since their newest record, without those that another transaction has locked. */
export async function lockNextUntold(tx: Queryable, limit: number): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `SELECT definition_id AS id FROM engagement.told_definitions
     WHERE NOT is_told ORDER BY definition_id LIMIT $1 FOR UPDATE SKIP LOCKED`,
    [limit],
  );
  return rows.map(({ id }) => id);
}

/**
 * Notes that definitions have changed where no trigger sees it: in their audit trail, which their records have. Also where it is noted
 * already: the note may belong to a record that is written now, which lacks the change, and this waits for its transaction.
 */
export async function noteAudited(tx: Queryable, definitionIds: readonly string[]): Promise<void> {
  await tx.query(`UPDATE engagement.told_definitions SET is_told = false WHERE definition_id = ANY ($1::uuid[])`, [
    definitionIds,
  ]);
}

/** Definitions as their records have them, in the order of their ids. */
export async function readDefinitionData(tx: Queryable, definitionIds: readonly string[]): Promise<DefinitionData[]> {
  const { rows } = await tx.query<DefinitionData>(
    `SELECT first.definition_id, first.kind, first.platform, first.organizer_id, own.versions,
       CASE WHEN ${isRaisedSql} THEN
         jsonb_build_object('stated_total', budgets.stated_total::text, 'total', budgets.total::text)
       END AS raised_budget, trail.audit
     FROM engagement.definitions AS first
     CROSS JOIN LATERAL (
       SELECT jsonb_agg(jsonb_build_object('version', version, 'generation', generation, 'name', name, 'body', body,
         'attribute_types', attribute_types, 'state', state, 'created_by', created_by, 'created_at', created_at,
         'published_by', published_by, 'published_at', published_at, 'counts_from', counts_from,
         'in_force_from', in_force_from, 'ended_at', ended_at, 'ended_while_paused', ended_while_paused,
         'recount', recount, 'max_per_day', max_per_day, 'paused_because', paused_because)
         ORDER BY version) AS versions
       FROM engagement.definitions AS version WHERE version.definition_id = first.definition_id) AS own
     LEFT JOIN engagement.budgets ON budgets.task_id = first.definition_id
     CROSS JOIN LATERAL (
       SELECT coalesce(jsonb_agg(jsonb_build_object('at', at, 'operator_id', operator_id, 'action', action,
         'details', details) ORDER BY audit_id), '[]') AS audit
       FROM (
         SELECT * FROM engagement.audit
         WHERE subject = first.definition_id::text AND action NOT LIKE '%.unissued\\_%'
         ORDER BY audit_id DESC LIMIT $2) AS newest) AS trail
     WHERE first.version = 1 AND first.definition_id = ANY ($1::uuid[])
     ORDER BY first.definition_id`,
    [definitionIds, auditedChanges],
  );
  return rows;
}

/** The revision of a definition's newest record. */
export interface ToldDefinition {
  readonly definitionId: string;
  readonly revision: number;
}

/** Notes that the topic has definitions as they are now. */
export async function markTold(tx: Queryable, told: readonly ToldDefinition[]): Promise<void> {
  await tx.query(
    `INSERT INTO engagement.told_definitions (definition_id, is_told, revision)
     SELECT id, true, revision FROM unnest($1::uuid[], $2::bigint[]) AS given (id, revision)
     ON CONFLICT (definition_id) DO UPDATE SET is_told = true, revision = excluded.revision`,
    [told.map(({ definitionId }) => definitionId), told.map(({ revision }) => revision)],
  );
}

import { Queryable } from '@podium/runtime/postgres';

/** Lets the users of definitions, and of those that depend on them, be evaluated again. */
export async function restartSweeps(tx: Queryable, definitionIds: readonly string[]): Promise<void> {
  if (definitionIds.length === 0) return;
  await tx.query(`DELETE FROM engagement.definition_sweeps WHERE definition_id = ANY ($1::uuid[])`, [definitionIds]);
}

import { Queryable } from '@podium/runtime/postgres';

/** Locks a version's sweep and returns the last user it reached; null when it is finished or locked by another instance. */
export async function takeSweep(
  tx: Queryable,
  version: { definitionId: string; version: number },
): Promise<{ afterUserRef: number } | null> {
  await tx.query(
    `INSERT INTO engagement.definition_sweeps (definition_id, version, after_user_ref) VALUES ($1, $2, 0)
     ON CONFLICT DO NOTHING`,
    [version.definitionId, version.version],
  );
  const { rows } = await tx.query<{ after_user_ref: number }>(
    `SELECT after_user_ref FROM engagement.definition_sweeps
     WHERE definition_id = $1 AND version = $2 AND finished_at IS NULL FOR UPDATE SKIP LOCKED`,
    [version.definitionId, version.version],
  );
  return rows.length === 0 ? null : { afterUserRef: rows[0].after_user_ref };
}

/** Stores the last user reached; null ends the sweep. */
export async function moveSweep(
  tx: Queryable,
  version: { definitionId: string; version: number },
  afterUserRef: number | null,
): Promise<void> {
  await tx.query(
    `UPDATE engagement.definition_sweeps
     SET after_user_ref = coalesce($3, after_user_ref), finished_at = CASE WHEN $3::bigint IS NULL THEN now() END
     WHERE definition_id = $1 AND version = $2`,
    [version.definitionId, version.version, afterUserRef],
  );
}

/** The given versions whose sweep is finished, as `<definition id>/<version>`. */
export async function readFinishedSweeps(
  db: Queryable,
  versions: readonly { definitionId: string; version: number }[],
): Promise<Set<string>> {
  const { rows } = await db.query<{ definition_id: string; version: number }>(
    `SELECT definition_id, version FROM engagement.definition_sweeps
     WHERE finished_at IS NOT NULL AND (definition_id, version) IN (SELECT * FROM unnest($1::uuid[], $2::int[]))`,
    [versions.map((version) => version.definitionId), versions.map((version) => version.version)],
  );
  return new Set(rows.map((row) => `${row.definition_id}/${row.version}`));
}

import { Queryable } from '@podium/runtime/postgres';

/** A running instance and its key ring. */
export interface VaultInstance {
  readonly instance: string;
  /** The sealing key comes first. */
  readonly keyIds: readonly string[];
  readonly seenAt: Date;
}

// Six times the interval between two reports of an instance.
const presentS = 30;

/** Stores which keys an instance has, and deletes instances whose last report is too old. */
export async function tellVaultKeys(db: Queryable, instance: string, keyIds: readonly string[]): Promise<void> {
  await db.query(
    `WITH gone AS (
       DELETE FROM linkage.vault_instances WHERE seen_at < now() - make_interval(secs => $3) AND instance <> $1)
     INSERT INTO linkage.vault_instances (instance, key_ids, seen_at) VALUES ($1, $2, now())
     ON CONFLICT (instance) DO UPDATE SET key_ids = excluded.key_ids, seen_at = excluded.seen_at`,
    [instance, keyIds, 2 * presentS],
  );
}

/** Deletes a stopping instance. */
export async function forgetVaultKeys(db: Queryable, instance: string): Promise<void> {
  await db.query(`DELETE FROM linkage.vault_instances WHERE instance = $1`, [instance]);
}

/** The instances that reported recently, by name. */
export async function presentVaultInstances(db: Queryable): Promise<VaultInstance[]> {
  const { rows } = await db.query<VaultInstance>(
    `SELECT instance, key_ids AS "keyIds", seen_at AS "seenAt" FROM linkage.vault_instances
     WHERE seen_at >= now() - make_interval(secs => $1) ORDER BY instance`,
    [presentS],
  );
  return rows;
}

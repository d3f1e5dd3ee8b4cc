import { Queryable } from '@podium/runtime/postgres';

/** Whether an account at a partner has an active link, of whichever user. */
export async function isLinked(db: Queryable, account: { platform: string; sub: string }): Promise<boolean> {
  const { rows } = await db.query(
    `SELECT 1 FROM linkage.links WHERE platform = $1 AND sub = $2 AND state <> 'unlinked'`,
    [account.platform, account.sub],
  );
  return rows.length > 0;
}

/** Whether a user has an active link with a partner. */
export async function hasLink(db: Queryable, user: { platform: string; userId: string }): Promise<boolean> {
  const { rows } = await db.query(
    `SELECT 1 FROM linkage.links WHERE platform = $1 AND user_id = $2 AND state <> 'unlinked'`,
    [user.platform, user.userId],
  );
  return rows.length > 0;
}

/** Whether anybody has an active link with a partner. */
export async function hasAnyLink(db: Queryable, platform: string): Promise<boolean> {
  const { rows } = await db.query(`SELECT 1 FROM linkage.links WHERE platform = $1 AND state <> 'unlinked' LIMIT 1`, [
    platform,
  ]);
  return rows.length > 0;
}

import { Client } from 'pg';

/** Ends the lifetime of all access tokens and lets every link be checked again, so that a check refreshes first. */
export async function expireForChecks(client: Client): Promise<void> {
  await client.query(`UPDATE linkage.link_tokens SET expires_at = now()`);
  await client.query(`UPDATE linkage.links SET user_info_at = now() - interval '2 minutes'`);
}

/** Makes the tokens of all links due for background work, at once; returns how many. */
export async function makeDue(client: Client): Promise<number> {
  const { rowCount } = await client.query(
    `UPDATE linkage.link_tokens SET expires_at = now(), refresh_due_at = now() WHERE refresh_due_at IS NOT NULL`,
  );
  return rowCount ?? 0;
}

/** How many of them have not been refreshed yet; a claim alone changes when they are due. */
export async function countExpired(client: Client): Promise<number> {
  const { rows } = await client.query<{ expired: string }>(
    `SELECT count(*) AS expired FROM linkage.link_tokens WHERE expires_at <= now()`,
  );
  return Number(rows[0].expired);
}

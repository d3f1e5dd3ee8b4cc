import { Pool } from '@podium/runtime/postgres';

/** Adds `user-0` to `user-<count − 1>` of the platform, all linked. */
export async function addLinkedUsers(pool: Pool, platform: string, count: number): Promise<void> {
  const columns = `platform, user_id, platform_user_id, link_id, linked_at, revision`;
  const links = `SELECT $1, 'user-' || n, 'sub-of-' || n, 'link-' || n, 1, 1 FROM generate_series(0, $2 - 1) AS n`;
  const values = [platform, count];
  await pool.query(
    `INSERT INTO engagement.users (platform, user_id) SELECT $1, 'user-' || n FROM generate_series(0, $2 - 1) AS n`,
    values,
  );
  await pool.query(`INSERT INTO engagement.link_periods (${columns}) ${links}`, values);
  await pool.query(
    `INSERT INTO engagement.links (${columns}, integration_id, organizer_id, state)
     SELECT links.*, 'integration-1', 'organizer-1', 'ready' FROM (${links}) AS links`,
    values,
  );
}

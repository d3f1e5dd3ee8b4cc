import { Queryable } from '@podium/runtime/postgres';
import { callbackLifetimeS, linkFlowLifetimeS } from '../browser/flow-lifetimes';
import { TestLinkResult } from './test-link-result';

/** A test link of an operator. */
export interface TestLink {
  readonly testLinkId: string;
  readonly integrationId: string;
  readonly expiresAt: Date;
  readonly isExpired: boolean;
  /** When its address was used; once. */
  readonly openedAt: Date | null;
  readonly result: TestLinkResult | null;
}

/** One that was opened in time lasts as long as its flow and the callback of it. */
const columns = `test_link_id AS "testLinkId", integration_id AS "integrationId", expires_at AS "expiresAt",
  greatest(expires_at, opened_at + interval '${linkFlowLifetimeS + callbackLifetimeS} s') <= clock_timestamp() AS "isExpired",
  opened_at AS "openedAt", result`;

/** Inserts a test link; `entryHash` is the SHA-256 of the secret in its address. */
export async function insertTestLink(
  tx: Queryable,
  link: { testLinkId: string; integrationId: string; entryHash: Buffer; requestedBy: string; lifetimeS: number },
): Promise<TestLink> {
  const { rows } = await tx.query<TestLink>(
    `INSERT INTO linkage.test_links (test_link_id, integration_id, entry_hash, requested_by, expires_at)
     VALUES ($1, $2, $3, $4, clock_timestamp() + make_interval(secs => $5)) RETURNING ${columns}`,
    [link.testLinkId, link.integrationId, link.entryHash, link.requestedBy, link.lifetimeS],
  );
  return rows[0];
}

/** A test link of an integration. */
export async function readTestLink(
  db: Queryable,
  key: { integrationId: string; testLinkId: string },
): Promise<TestLink | null> {
  const { rows } = await db.query<TestLink>(
    `SELECT ${columns} FROM linkage.test_links WHERE integration_id = $1 AND test_link_id = $2`,
    [key.integrationId, key.testLinkId],
  );
  return rows[0] ?? null;
}

/** A test link by its address that can still be opened. */
export async function readUnopened(db: Queryable, entryHash: Buffer): Promise<TestLink | null> {
  const { rows } = await db.query<TestLink>(
    `SELECT ${columns} FROM linkage.test_links
     WHERE entry_hash = $1 AND opened_at IS NULL AND expires_at > clock_timestamp()`,
    [entryHash],
  );
  return rows[0] ?? null;
}

/** Marks a test link as opened; false when it was already. */
export async function openOnce(tx: Queryable, testLinkId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE linkage.test_links SET opened_at = clock_timestamp()
     WHERE test_link_id = $1 AND opened_at IS NULL AND expires_at > clock_timestamp()`,
    [testLinkId],
  );
  return rowCount === 1;
}

/** Stores the result of a test link. */
export async function saveTestResult(db: Queryable, testLinkId: string, result: TestLinkResult): Promise<void> {
  await db.query(`UPDATE linkage.test_links SET result = $2 WHERE test_link_id = $1 AND result IS NULL`, [
    testLinkId,
    JSON.stringify(result),
  ]);
}

/** How long a result stays after the time of its address, seconds. */
const resultKeptS = 3600;

/** Deletes test links whose time is over. */
export async function deleteTestLinks(db: Queryable): Promise<void> {
  await db.query(`DELETE FROM linkage.test_links WHERE expires_at < clock_timestamp() - make_interval(secs => $1)`, [
    resultKeptS,
  ]);
}

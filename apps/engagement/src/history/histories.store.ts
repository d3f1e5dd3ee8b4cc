import { Queryable } from '@podium/runtime/postgres';
import { HistoryEvent } from '../evaluation/history';
import { packHistory, unpackHistory } from './history-codec';
import { StoredHistory } from './stored-history';

/** The events of one name of a user. */
export interface HistoryKey {
  readonly userRef: number;
  readonly name: string;
}

/** The history of one name of a user. */
export interface UserNameHistory extends HistoryKey {
  readonly history: StoredHistory;
}

/** A stored event with the row of its user. */
export interface StoredEvent {
  readonly userRef: number;
  readonly event: HistoryEvent;
  /** False: the release before applied it, so that no history has it yet. */
  readonly inHistory: boolean;
}

/** The stored histories of these keys; a missing one has no events yet. The caller has locked the users. */
export async function readHistories(tx: Queryable, keys: readonly HistoryKey[]): Promise<UserNameHistory[]> {
  if (keys.length === 0) return [];
  const { rows } = await tx.query<{ user_ref: number; name: string; packed: Buffer }>(
    `SELECT user_ref, name, packed FROM engagement.event_histories
     WHERE (user_ref, name) IN (SELECT * FROM unnest($1::bigint[], $2::text[]))`,
    columnsOf(keys),
  );
  return rows.map((row) => ({ userRef: row.user_ref, name: row.name, history: unpackHistory(row.name, row.packed) }));
}

/** Writes histories; the caller has locked the users and has read those that are stored. */
export async function writeHistories(tx: Queryable, histories: readonly UserNameHistory[]): Promise<void> {
  await replaceHistories(
    tx,
    histories.filter(({ history }) => history.isStored),
  );
  await addHistories(
    tx,
    histories.filter(({ history }) => !history.isStored),
  );
}

/** An insert with `ON CONFLICT` would lock each row before it changes it, which is written to the log too. */
async function replaceHistories(tx: Queryable, histories: readonly UserNameHistory[]): Promise<void> {
  if (histories.length === 0) return;
  const { rowCount } = await tx.query(
    `UPDATE engagement.event_histories AS known SET packed = given.packed
     FROM unnest($1::bigint[], $2::text[], $3::bytea[]) AS given (user_ref, name, packed)
     WHERE known.user_ref = given.user_ref AND known.name = given.name`,
    [...columnsOf(histories), histories.map(({ history }) => packHistory(history))],
  );
  if (rowCount !== histories.length) throw new Error('a history of a locked user was deleted');
}

async function addHistories(tx: Queryable, histories: readonly UserNameHistory[]): Promise<void> {
  if (histories.length === 0) return;
  await tx.query(
    `INSERT INTO engagement.event_histories (user_ref, name, packed)
     SELECT * FROM unnest($1::bigint[], $2::text[], $3::bytea[])`,
    [...columnsOf(histories), histories.map(({ history }) => packHistory(history))],
  );
}

/**
 * Deletes histories whose name no definition uses any more: they no longer get events, and are computed from the stored events
 * when one uses it again.
 */
export async function dropHistories(tx: Queryable, keys: readonly HistoryKey[]): Promise<void> {
  if (keys.length === 0) return;
  await tx.query(
    `DELETE FROM engagement.event_histories WHERE (user_ref, name) IN (SELECT * FROM unnest($1::bigint[], $2::text[]))`,
    columnsOf(keys),
  );
}

/** Users with events that the release before applied, without those set aside, lowest row first, at most `limit`. */
export async function readUsersWithUnmarked(db: Queryable, limit: number, aside: readonly number[]): Promise<number[]> {
  const { rows } = await db.query<{ user_ref: number }>(
    `SELECT user_ref FROM engagement.events WHERE NOT in_history AND user_ref <> ALL ($2::bigint[])
     GROUP BY user_ref ORDER BY user_ref LIMIT $1`,
    [limit, aside],
  );
  return rows.map((row) => row.user_ref);
}

/** The names of the events that the release before applied, of these users. */
export async function readUnmarkedNames(tx: Queryable, userRefs: readonly number[]): Promise<HistoryKey[]> {
  const { rows } = await tx.query<{ user_ref: number; name: string }>(
    `SELECT DISTINCT user_ref, name FROM engagement.events WHERE NOT in_history AND user_ref = ANY ($1::bigint[])`,
    [userRefs],
  );
  return rows.map((row) => ({ userRef: row.user_ref, name: row.name }));
}

/** Marks events that the release before applied as taken into the history, and returns them. */
export async function takeUnmarkedEvents(tx: Queryable, keys: readonly HistoryKey[]): Promise<StoredEvent[]> {
  if (keys.length === 0) return [];
  const { rows } = await tx.query<EventRow>(
    `UPDATE engagement.events SET in_history = true
     WHERE NOT in_history AND (user_ref, name) IN (SELECT * FROM unnest($1::bigint[], $2::text[]))
     RETURNING ${eventColumns}`,
    columnsOf(keys),
  );
  return rows.map(storedEvent);
}

/** All stored events of these keys. */
export async function readStoredEvents(tx: Queryable, keys: readonly HistoryKey[]): Promise<StoredEvent[]> {
  if (keys.length === 0) return [];
  const { rows } = await tx.query<EventRow>(
    `SELECT ${eventColumns} FROM engagement.events
     WHERE (user_ref, name) IN (SELECT * FROM unnest($1::bigint[], $2::text[]))`,
    columnsOf(keys),
  );
  return rows.map(storedEvent);
}

const eventColumns = `user_ref, name, created_at, event_id, platform_user_id, attributes, contract_version, linked_at,
  received_at, in_history`;

interface EventRow {
  user_ref: number;
  name: string;
  created_at: number;
  event_id: string;
  platform_user_id: string;
  attributes: [string, string][];
  contract_version: number;
  linked_at: number;
  received_at: number;
  in_history: boolean;
}

function storedEvent(row: EventRow): StoredEvent {
  const event: HistoryEvent = {
    id: row.event_id,
    name: row.name,
    createdAt: row.created_at,
    receivedAt: Math.floor(row.received_at / 1000),
    linkedAt: row.linked_at,
    account: row.platform_user_id,
    contractVersion: row.contract_version,
    attributes: Object.fromEntries(row.attributes),
  };
  return { userRef: row.user_ref, event, inHistory: row.in_history };
}

function columnsOf(keys: readonly HistoryKey[]): [number[], string[]] {
  return [keys.map(({ userRef }) => userRef), keys.map(({ name }) => name)];
}

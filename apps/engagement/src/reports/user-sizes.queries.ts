import { Queryable } from '@podium/runtime/postgres';
import { storedEventsCap } from '../event-store/retention';
import { SizeOfUser } from './users-at-once';

/** The number of stored events of a user, name and month. */
export interface StoredGroup {
  readonly userRef: number;
  readonly name: string;
  /** yyyymm, UTC. */
  readonly month: number;
  readonly events: number;
}

/** Counts the stored events of these users and names. */
export async function readStoredGroups(
  tx: Queryable,
  userRefs: readonly number[],
  names: Iterable<string>,
): Promise<StoredGroup[]> {
  const { rows } = await tx.query<StoredGroup>(
    `SELECT user_ref AS "userRef", name, month, count(*)::int AS events FROM engagement.events
     WHERE user_ref = ANY ($1::bigint[]) AND name = ANY ($2::text[])
     GROUP BY user_ref, name, month`,
    [userRefs, [...names]],
  );
  return rows;
}

/** Whether older events of the group may have been dropped. */
export function isCapped({ events }: StoredGroup): boolean {
  return events >= storedEventsCap;
}

/** The bytes of the packed histories of these users and names, which Postgres knows without reading them. */
export async function readPackedSizes(
  tx: Queryable,
  userRefs: readonly number[],
  names: Iterable<string>,
): Promise<SizeOfUser[]> {
  const { rows } = await tx.query<{ user_ref: number; bytes: number }>(
    `SELECT user_ref, sum(octet_length(packed))::int AS bytes FROM engagement.event_histories
     WHERE user_ref = ANY ($1::bigint[]) AND name = ANY ($2::text[])
     GROUP BY user_ref`,
    [userRefs, [...names]],
  );
  return rows.map(({ user_ref, bytes }) => [user_ref, bytes]);
}

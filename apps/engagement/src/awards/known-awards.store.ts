import { Queryable } from '@podium/runtime/postgres';
import { pseudonymOf } from '../erasures/pseudonym';
import { TooManyAwardsError, mostKnown } from './award-volume';
import { KnownAward } from './known-award';
import { OccurrenceRange, occurrencesOf, rangeOfKey } from './occurrence-range';
import { TaskFinding, TaskOfUser } from './task-finding';

/*
 * Awards are looked up in the index for each wanted row (OFFSET 0 keeps the subquery apart): otherwise the planner may read all
 * awards of a task, because it takes the users of a batch for a large share of them.
 */

/**
 * The awards of each finding's user and task, in the order of the findings; `max_per_user` bounds their number for each. Those
 * from before the user's erasure are found by the pseudonym; of a user who has no link any more those of an erased account are
 * among them, because the erasure of the user is on its way. With `isDivisible` too many are refused with `TooManyAwardsError`.
 */
export async function readKnownAwards(
  tx: Queryable,
  findings: readonly (TaskOfUser & Pick<TaskFinding, 'links'>)[],
  isDivisible = false,
): Promise<KnownAward[][]> {
  const { rows } = await tx.query<KnownRow>(
    `SELECT given.at, known.award_id, known.occurrence, known.task_version, known.owed_at, known.reversed,
       known.user_id <> given.user_id OR (NOT given.has_links AND EXISTS (
         SELECT FROM engagement.erased_accounts
         WHERE account_digest = engagement.identity_digest(known.platform, known.platform_user_id))) AS is_erased
     FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::boolean[]) WITH ORDINALITY
       AS given (task_id, platform, user_id, pseudonym, has_links, at)
     CROSS JOIN LATERAL unnest(ARRAY[given.user_id, given.pseudonym]) AS name (user_id)
     CROSS JOIN LATERAL (
       SELECT * FROM engagement.awards
       WHERE awards.task_id = given.task_id AND awards.user_id = name.user_id OFFSET 0) AS known
     LIMIT $6`,
    [...keysOf(findings), findings.map(({ links }) => links.length > 0), isDivisible ? mostKnown + 1 : null],
  );
  if (isDivisible && rows.length > mostKnown)
    throw new TooManyAwardsError(`the users and tasks of a transaction have more than ${mostKnown} awards`);
  return knownOf(findings, rows);
}

/** Occurrences of one of several findings. */
export interface WantedOccurrences {
  /** Index of the finding. */
  readonly at: number;
  readonly range: OccurrenceRange;
}

/** As `readKnownAwards`, but of the given occurrences alone: a user may have as many awards of the task as `max_per_user`. */
export async function readAwardsOfOccurrences(
  tx: Queryable,
  findings: readonly TaskOfUser[],
  wanted: readonly WantedOccurrences[],
): Promise<KnownAward[][]> {
  const each = wanted.flatMap(({ at, range }) => occurrencesOf(range).map((occurrence) => ({ at, occurrence })));
  const { rows } = await tx.query<KnownRow>(
    `SELECT given.at, known.award_id, known.occurrence, known.task_version, known.owed_at, known.reversed,
       known.user_id <> given.user_id AS is_erased
     FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::int[])
       AS given (task_id, platform, user_id, pseudonym, occurrence, at)
     CROSS JOIN LATERAL unnest(ARRAY[given.user_id, given.pseudonym]) AS name (user_id)
     CROSS JOIN LATERAL (
       SELECT * FROM engagement.awards
       WHERE awards.task_id = given.task_id AND awards.user_id = name.user_id AND awards.occurrence = given.occurrence
       OFFSET 0) AS known`,
    [
      ...keysOf(each.map(({ at }) => findings[at])),
      each.map(({ occurrence }) => occurrence),
      each.map(({ at }) => at + 1),
    ],
  );
  return knownOf(findings, rows);
}

interface KnownRow {
  /** Number of the finding, from 1. */
  readonly at: number;
  readonly award_id: string;
  readonly occurrence: string;
  readonly task_version: number;
  readonly owed_at: number | null;
  readonly reversed: boolean;
  readonly is_erased: boolean;
}

function knownOf(findings: readonly TaskOfUser[], rows: readonly KnownRow[]): KnownAward[][] {
  const known: KnownAward[][] = findings.map(() => []);
  for (const row of rows)
    known[row.at - 1].push({
      awardId: row.award_id,
      range: rangeOfKey(row.occurrence),
      version: row.task_version,
      owedAt: row.owed_at,
      reversed: row.reversed,
      isErased: row.is_erased,
    });
  return known;
}

/** Occurrences that may be issued to an account. */
export interface WantedAccount {
  readonly finding: TaskOfUser;
  readonly account: string;
  readonly range: OccurrenceRange;
  /** Awards that were reversed count, too. */
  readonly orReversed?: boolean;
}

/**
 * The occurrences that were paid to an account under another user, by the index of the wanted row; a reversal that the bonus
 * engine rejected has taken nothing back. They stay locked, so that a reversal of one of them waits, and then finds what it
 * blocks.
 */
export async function readPaidToOthers(
  tx: Queryable,
  wanted: readonly WantedAccount[],
): Promise<{ readonly at: number; readonly occurrence: string }[]> {
  if (wanted.length === 0) return [];
  const { rows } = await tx.query<{ at: number; occurrence: string }>(
    `WITH wanted AS MATERIALIZED (
       SELECT given.*, name.account AS name, ARRAY[given.user_id, given.pseudonym] AS own_names
       FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::int[], $9::int[],
           $10::boolean[])
         WITH ORDINALITY AS given (task_id, platform, user_id, pseudonym, account, account_pseudonym, series, first, last,
           or_reversed, at)
       CROSS JOIN LATERAL unnest(ARRAY[given.account, given.account_pseudonym]) AS name (account)),
     found AS MATERIALIZED (
       SELECT wanted.*, known.award_id
       FROM wanted CROSS JOIN LATERAL (
         ${ofAccount('NOT reversed')} UNION ALL ${ofAccount('reversed')}) AS known)
     SELECT found.at - 1 AS at, paid.occurrence
     FROM found
     JOIN engagement.awards AS paid ON paid.award_id = found.award_id AND (found.or_reversed OR ${isPaid('paid')})
       AND CASE WHEN paid.occurrence LIKE 'g%:every:%'
         THEN starts_with(paid.occurrence, found.series || ':')
           AND split_part(paid.occurrence, ':', 3)::bigint BETWEEN found.first AND found.last
         ELSE paid.occurrence = found.series END
     ORDER BY paid.award_id
     FOR SHARE OF paid`,
    [
      ...keysOf(wanted.map(({ finding }) => finding)),
      wanted.map(({ account }) => account),
      wanted.map(({ finding, account }) => pseudonymOf(finding.user.platform, account)),
      wanted.map(({ range }) => range.series),
      wanted.map(({ range }) => range.first),
      wanted.map(({ range }) => range.last),
      wanted.map(({ orReversed = false }) => orReversed),
    ],
  );
  return rows;
}

/** Awards of the account of a wanted row under other users; each kind has its own index. */
const ofAccount = (kind: 'reversed' | 'NOT reversed'): string => `(
  SELECT award_id FROM engagement.awards
  WHERE awards.task_id = wanted.task_id AND awards.platform = wanted.platform
    AND awards.platform_user_id = wanted.name AND ${kind} AND awards.user_id <> ALL (wanted.own_names)
  OFFSET 0)`;

/**
 * Whether an award is paid at present, as a condition on its row: it is not reversed, or the bonus engine has rejected its newest
 * reversal (`kept` of `standingOf`).
 */
export const isPaid = (award: string): string => `(NOT ${award}.reversed OR coalesce((
  SELECT answer.kind = 'rejected' FROM engagement.ledger_entries AS newest
  LEFT JOIN engagement.ledger_entries AS answer
    ON answer.award_id = newest.award_id AND answer.answers_seq = newest.seq
  WHERE newest.award_id = ${award}.award_id AND newest.kind IN ('issued', 'reversed')
  ORDER BY newest.seq DESC LIMIT 1), false))`;

/** Tasks, platforms, and users by both of their names: Postgres takes several times as long to compute the second one. */
function keysOf(findings: readonly TaskOfUser[]): [string[], string[], string[], string[]] {
  return [
    findings.map(({ task }) => task.definitionId),
    findings.map(({ user }) => user.platform),
    findings.map(({ user }) => user.userId),
    findings.map(({ user }) => pseudonymOf(user.platform, user.userId)),
  ];
}

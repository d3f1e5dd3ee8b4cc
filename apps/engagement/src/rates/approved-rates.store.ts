import { Queryable } from '@podium/runtime/postgres';
import { DailyRate, Rates, noRates, parseRate, ratesOf } from '../evaluation/rates';
import { UsedPair } from './used-pairs';

/**
 * The approved rates of the given pairs, by organizer. All days are read: windows like `lifetime` reach all of them, and a pair
 * has one rate a day. With `approvedBy`, those that were approved until then: an approved rate never changes.
 */
export async function readApprovedRates(
  tx: Queryable,
  pairs: readonly UsedPair[],
  { approvedBy = null }: { readonly approvedBy?: Date | null } = {},
): Promise<Map<string, Rates>> {
  if (pairs.length === 0) return new Map();
  const { rows } = await tx.query<{ organizerId: string; from: string; to: string; dayS: number; rate: string }>(
    `SELECT organizer_id AS "organizerId", from_currency AS "from", to_currency AS "to",
       extract(epoch FROM day)::bigint AS "dayS", trim_scale(rate)::text AS rate
     FROM engagement.rates
     WHERE approved_at IS NOT NULL AND ($4::timestamptz IS NULL OR approved_at <= $4)
       AND (organizer_id, from_currency, to_currency) IN (SELECT * FROM unnest($1::text[], $2::text[], $3::text[]))`,
    [...columnsOf(pairs), approvedBy],
  );
  const byOrganizer = new Map<string, DailyRate[]>();
  for (const { organizerId, from, to, dayS, rate } of rows) {
    const known = byOrganizer.get(organizerId) ?? [];
    byOrganizer.set(organizerId, known);
    known.push({ from, to, dayS, rate: parseRate(rate)! });
  }
  return new Map([...byOrganizer].map(([organizerId, rates]) => [organizerId, ratesOf(rates)]));
}

/** The approved rates of an organizer, as far as definitions use them. */
export interface KnownRates {
  readonly rates: Rates;
  /** Another text where the rates are others. */
  readonly revision: string;
}

/** The approved rates of the given pairs, by organizer; those of an organizer that have not changed since `before` are not read again. */
export async function readChangedRates(
  tx: Queryable,
  pairs: readonly UsedPair[],
  before: ReadonlyMap<string, KnownRates>,
): Promise<ReadonlyMap<string, KnownRates>> {
  const revisions = await readRevisions(tx, pairs);
  const isKnown = (organizerId: string): boolean => before.get(organizerId)?.revision === revisions.get(organizerId);
  const read = await readApprovedRates(
    tx,
    pairs.filter(({ organizerId }) => revisions.has(organizerId) && !isKnown(organizerId)),
  );
  return new Map(
    [...revisions].map(([organizerId, revision]): [string, KnownRates] => [
      organizerId,
      isKnown(organizerId) ? before.get(organizerId)! : { rates: read.get(organizerId) ?? noRates, revision },
    ]),
  );
}

/** Numbers and digests of rates, whatever their order, are compared much faster than they are read. */
async function readRevisions(tx: Queryable, pairs: readonly UsedPair[]): Promise<Map<string, string>> {
  if (pairs.length === 0) return new Map();
  const { rows } = await tx.query<{ organizerId: string; revision: string }>(
    `SELECT organizer_id AS "organizerId",
       count(*) || ' ' || sum(hashtextextended(from_currency || to_currency || day || ' ' || rate, 0)) AS revision
     FROM engagement.rates
     WHERE approved_at IS NOT NULL
       AND (organizer_id, from_currency, to_currency) IN (SELECT * FROM unnest($1::text[], $2::text[], $3::text[]))
     GROUP BY organizer_id`,
    columnsOf(pairs),
  );
  return new Map(rows.map(({ organizerId, revision }) => [organizerId, revision]));
}

function columnsOf(pairs: readonly UsedPair[]): [string[], string[], string[]] {
  return [pairs.map(({ organizerId }) => organizerId), pairs.map(({ from }) => from), pairs.map(({ to }) => to)];
}

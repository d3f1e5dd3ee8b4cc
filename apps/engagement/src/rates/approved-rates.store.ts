import { Queryable } from '@podium/runtime/postgres';
import { DailyRate, Rates, parseRate, ratesOf } from '../evaluation/rates';
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
    [pairs.map(({ organizerId }) => organizerId), pairs.map(({ from }) => from), pairs.map(({ to }) => to), approvedBy],
  );
  const byOrganizer = new Map<string, DailyRate[]>();
  for (const { organizerId, from, to, dayS, rate } of rows) {
    const known = byOrganizer.get(organizerId) ?? [];
    byOrganizer.set(organizerId, known);
    known.push({ from, to, dayS, rate: parseRate(rate)! });
  }
  return new Map([...byOrganizer].map(([organizerId, rates]) => [organizerId, ratesOf(rates)]));
}

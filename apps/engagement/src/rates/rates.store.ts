import { RateData } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';
import { UsedPair } from './used-pairs';

/** The place of a rate: the pair and the UTC day, as `2026-11-05`. */
export interface RatePlace {
  readonly from: string;
  readonly to: string;
  readonly day: string;
}

/** A rate as an operator states it: a plain decimal. */
export interface StatedRate extends RatePlace {
  readonly rate: string;
}

/** A rate as stored; it converts amounts once it is approved. */
export interface RateRow extends StatedRate {
  readonly organizerId: string;
  readonly givenBy: string;
  readonly givenAt: Date;
  readonly approvedBy: string | null;
  readonly approvedAt: Date | null;
}

/** Which rates a list shows: pairs in falling order, of each the newest day first. */
export interface RateFilter {
  readonly organizers: 'all' | readonly string[];
  readonly organizerId?: string;
  readonly from?: string;
  readonly to?: string;
  readonly isApproved?: boolean;
  /** Only rates after this place of the list. */
  readonly before: readonly [organizerId: string, from: string, to: string, day: string] | null;
  readonly limit: number;
}

const columns = `organizer_id AS "organizerId", from_currency AS "from", to_currency AS "to", to_char(day, 'YYYY-MM-DD') AS day,
  trim_scale(rate)::text AS rate, given_by AS "givenBy", given_at AS "givenAt", approved_by AS "approvedBy",
  approved_at AS "approvedAt"`;

const placesGiven = `SELECT * FROM unnest($2::text[], $3::text[], $4::date[])`;

/** The known rates of these places, locked until the transaction ends. */
export async function lockRates(
  tx: Queryable,
  organizerId: string,
  places: readonly RatePlace[],
): Promise<Map<string, RateRow>> {
  const { rows } = await tx.query<RateRow>(
    `SELECT ${columns} FROM engagement.rates
     WHERE organizer_id = $1 AND (from_currency, to_currency, day) IN (${placesGiven})
     ORDER BY from_currency, to_currency, day FOR UPDATE`,
    [organizerId, ...placeColumns(places)],
  );
  return new Map(rows.map((row) => [rateKey(row), row]));
}

/** Adds rates, or replaces those that are not approved yet; the caller has locked the known ones. */
export async function writeRates(
  tx: Queryable,
  organizerId: string,
  rates: readonly StatedRate[],
  given: { readonly by: string; readonly at: Date },
): Promise<void> {
  if (rates.length === 0) return;
  await tx.query(
    `INSERT INTO engagement.rates (organizer_id, from_currency, to_currency, day, rate, given_by, given_at)
     SELECT $1, given.*, $6, $7 FROM unnest($2::text[], $3::text[], $4::date[], $5::numeric[]) AS given
     ON CONFLICT (organizer_id, from_currency, to_currency, day) DO UPDATE
       SET rate = excluded.rate, given_by = excluded.given_by, given_at = excluded.given_at
       WHERE rates.approved_at IS NULL`,
    [organizerId, ...placeColumns(rates), rates.map(({ rate }) => rate), given.by, given.at],
  );
}

/** Approves given rates; the caller has locked them. */
export async function approveRates(
  tx: Queryable,
  organizerId: string,
  places: readonly RatePlace[],
  approved: { readonly by: string; readonly at: Date },
): Promise<void> {
  await tx.query(
    `UPDATE engagement.rates SET approved_by = $5, approved_at = $6
     WHERE organizer_id = $1 AND (from_currency, to_currency, day) IN (${placesGiven})`,
    [organizerId, ...placeColumns(places), approved.by, approved.at],
  );
}

/** Adds approved rates that are missing or only given; returns the pairs of those. */
export async function addApprovedRates(tx: Queryable, rates: readonly RateData[]): Promise<UsedPair[]> {
  const column = <T>(read: (rate: RateData) => T): T[] => rates.map(read);
  const { rows } = await tx.query<UsedPair>(
    `INSERT INTO engagement.rates AS known (organizer_id, from_currency, to_currency, day, rate, given_by, given_at,
       approved_by, approved_at)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::date[], $5::numeric[], $6::text[], $7::timestamptz[],
       $8::text[], $9::timestamptz[])
     ON CONFLICT (organizer_id, from_currency, to_currency, day) DO UPDATE
       SET rate = excluded.rate, given_by = excluded.given_by, given_at = excluded.given_at,
         approved_by = excluded.approved_by, approved_at = excluded.approved_at
       WHERE known.approved_at IS NULL
     RETURNING organizer_id AS "organizerId", from_currency AS "from", to_currency AS "to"`,
    [
      column(({ organizer_id }) => organizer_id),
      column(({ from }) => from),
      column(({ to }) => to),
      column(({ day }) => day),
      column(({ rate }) => rate),
      column(({ given_by }) => given_by),
      column(({ given_at }) => new Date(given_at)),
      column(({ approved_by }) => approved_by),
      column(({ approved_at }) => new Date(approved_at)),
    ],
  );
  return rows;
}

/** Rates for operators. */
export async function listRates(db: Queryable, filter: RateFilter): Promise<RateRow[]> {
  const { rows } = await db.query<RateRow>(
    `SELECT ${columns} FROM engagement.rates
     WHERE ($1::text[] IS NULL OR organizer_id = ANY ($1)) AND ($2::text IS NULL OR organizer_id = $2)
       AND ($3::text IS NULL OR from_currency = $3) AND ($4::text IS NULL OR to_currency = $4)
       AND ($5::boolean IS NULL OR (approved_at IS NOT NULL) = $5)
       AND ($6::text IS NULL OR (organizer_id, from_currency, to_currency, day) < ($6, $7, $8, $9::date))
     ORDER BY rates.organizer_id DESC, from_currency DESC, to_currency DESC, rates.day DESC LIMIT $10`,
    [
      filter.organizers === 'all' ? null : filter.organizers,
      ...[filter.organizerId ?? null, filter.from ?? null, filter.to ?? null, filter.isApproved ?? null],
      ...(filter.before ?? [null, null, null, null]),
      filter.limit,
    ],
  );
  return rows;
}

/** Text of a place, equal for equal places. */
export function rateKey({ from, to, day }: RatePlace): string {
  return `${from}/${to}/${day}`;
}

function placeColumns(places: readonly RatePlace[]): [string[], string[], string[]] {
  return [places.map(({ from }) => from), places.map(({ to }) => to), places.map(({ day }) => day)];
}

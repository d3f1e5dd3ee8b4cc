import { CodedError } from '@podium/messages';
import { malformed, refused } from '../definitions/body-problems';
import { parseRate } from '../evaluation/rates';
import { RateRow, StatedRate, rateKey } from './rates.store';

const dayMs = 86_400_000;
const firstDay = '2000-01-01';

/**
 * Checks rates as an operator states them: positive, of days that exist and are over, each place once. Throws a coded error
 * that names the place.
 */
export function checkRates(rates: readonly StatedRate[], now: Date): void {
  const seen = new Set<string>();
  const today = now.toISOString().slice(0, 10);
  rates.forEach((rate, i) => {
    const path = `rates[${i}]`;
    if (rate.from === rate.to) throw malformed(`${path}.to`, 'must be another currency than "from"');
    if (parseRate(rate.rate) === null) throw malformed(`${path}.rate`, 'must be above 0');
    if (!isDayOfRates(rate.day)) throw malformed(`${path}.day`, `must be a day of the calendar from ${firstDay} on`);
    if (rate.day >= today)
      throw refused(
        `${path}.day`,
        `must be over; today is ${today} (UTC), and a day's rate is given once the day is over`,
      );
    if (seen.has(rateKey(rate))) throw malformed(path, 'states the rate of this pair and day again; state it once');
    seen.add(rateKey(rate));
  });
}

/** Rates that are not known as they are stated; throws `conflict` where an approved one is another. */
export function changedRates(rates: readonly StatedRate[], known: ReadonlyMap<string, RateRow>): StatedRate[] {
  return rates.filter((rate, i) => {
    const row = known.get(rateKey(rate));
    if (row === undefined) return true;
    if (isSame(rate, row)) return false;
    if (row.approvedAt !== null)
      throw new CodedError('conflict', {
        message: `rates[${i}]: ${textOf(row)} is approved, and an approved rate never changes.`,
      });
    return true;
  });
}

/** Given rates that wait for approval, as the approver states them; throws where there is none, or another one. */
export function waitingRates(rates: readonly StatedRate[], known: ReadonlyMap<string, RateRow>): RateRow[] {
  const rows = rates.map((rate, i): RateRow => {
    const row = known.get(rateKey(rate));
    if (row === undefined)
      throw refused(`rates[${i}]`, `no rate from ${rate.from} to ${rate.to} is given for ${rate.day}; give it first`);
    if (!isSame(rate, row))
      throw new CodedError('conflict', {
        message: `rates[${i}]: ${textOf(row)} is given; approve that rate, or give another one first.`,
      });
    return row;
  });
  return rows.filter(({ approvedAt }) => approvedAt === null);
}

/** A rate as audit entries and messages show it. */
export function textOf({ from, to, day, rate }: StatedRate): string {
  return `${day} ${from} = ${rate} ${to}`;
}

function isSame(stated: StatedRate, known: StatedRate): boolean {
  return parseRate(stated.rate) === parseRate(known.rate);
}

/** Whether a text is a day of the calendar that may have rates, `2026-11-05`. */
export function isDayOfRates(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < firstDay) return false;
  const atMs = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(atMs) && atMs % dayMs === 0 && new Date(atMs).toISOString().startsWith(text);
}

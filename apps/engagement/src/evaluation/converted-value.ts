import { fractionDigits } from '@podium/messages';
import { startOf } from './calendar';
import { AggregateParts, termOf } from './compile-comparison';
import { CompileContext } from './condition-node';
import { specOf, valueReader } from './event-values';
import { formatScaled, toBillionths } from './exact-decimal';
import { HistoryEvent } from './history';
import { MergedRanges } from './merged-ranges';
import { Moment } from './moment';
import { PerView } from './per-view';
import { rateDigits } from './rates';
import { SeenValue, SeenValues } from './seen-values';
import { mergedNumber } from './tally';
import { Scope, Term, linkDayOf } from './terms';
import { UserView } from './user-history';
import { TermWindow } from './windows';

/** Digits after the point of an amount times a rate. */
export const convertedDigits = fractionDigits + rateDigits.fraction;
const unitRate = 10n ** BigInt(rateDigits.fraction);

/** A sum, least or greatest value of money in one currency, to which the other ones are converted. */
export interface ConvertedValue {
  /** One per currency of the attribute: they keep amounts by UTC day, because a rate of a day may be given later. */
  readonly terms: readonly Term[];
  /** Unrounded, see `convertedText`; 0 for the sum of nothing, null for the least or greatest of nothing. */
  valueAt(moment: Moment): bigint | null;
  /** The currency of a term. */
  currencyOf(term: Term): string;
  /** The rate of an amount of a currency at a second of a UTC day; null without any. */
  rateAt(currency: string, atS: number): bigint | null;
}

/** Converted amounts of one link or of all: of days, and of single events. */
interface ConvertedAmounts {
  readonly days: MergedRanges<bigint>;
  readonly events: SeenValues<bigint>;
}

/** The parts of a comparison of converted money. */
export type ConvertedParts = AggregateParts & { readonly attribute: string; readonly convertTo: string };

/** Compiles the value of a comparison whose amounts are converted (docs/engine.md, reading 14); days are UTC days. */
export function convertedValue(parts: ConvertedParts, window: TermWindow, context: CompileContext): ConvertedValue {
  const { filter, measure, attribute, convertTo } = parts;
  const scope = byDay(window.scope);
  const { currencies = {} } = specOf(context.specs, filter.event, attribute);
  const rateAt = rateTo(convertTo, context);
  const byCurrency = Object.keys(currencies)
    .sort()
    .map((currency) => {
      const term = termOf({ filter, measure, attribute, currency }, { ...window, scope }, context);
      const isLeftOut = (event: HistoryEvent): boolean => rateAt(currency, event.createdAt) === null;
      return { currency, term: { ...term, isLeftOut } };
    });
  const merge = (a: bigint, b: bigint): bigint => mergedNumber(measure, a, b);
  const known = new PerView<number | null, ConvertedAmounts>();
  const valueAt = (moment: Moment): bigint | null => {
    const { view, atS, link } = moment;
    const isOfLink = scope.kind === 'link';
    let total = null as bigint | null;
    if (!isOfLink || link !== null) {
      const linkedAt = isOfLink ? (link?.linkedAt ?? null) : null;
      const { days, events } = known.of(view, linkedAt, () => amountsOf(view, linkedAt));
      const from = window.from(atS) ?? -Infinity;
      const add = (amount: bigint): void => void (total = total === null ? amount : merge(total, amount));
      days.forEachIn(from, Infinity, add);
      events.forEachAt(moment, from, Infinity, add);
    }
    return total ?? (measure === 'sum' ? 0n : null);
  };
  const amountsOf = (view: UserView, linkedAt: number | null): ConvertedAmounts => {
    const days: [dayS: number, amount: bigint][] = [];
    const events: SeenValue<bigint>[] = [];
    const convert = (currency: string, amount: unknown, atS: number): bigint | null => {
      const rate = typeof amount === 'bigint' ? rateAt(currency, atS) : null;
      return typeof amount === 'bigint' && rate !== null ? amount * rate : null;
    };
    for (const { currency, term } of byCurrency) {
      for (const [bucket, part] of view.partsOf(term) ?? []) {
        const place = placeOf(scope, bucket);
        const amount = convert(currency, part, place.dayS);
        if (amount !== null && (place.linkedAt ?? null) === linkedAt) days.push([place.dayS, amount]);
      }
      for (const { event, seenAt, bucket, part } of view.latePartsOf(term)) {
        const place = placeOf(scope, bucket);
        const amount = convert(currency, part, place.dayS);
        if (amount !== null && (place.linkedAt ?? null) === linkedAt)
          events.push({ event, seenAt, value: amount, bucket: place.dayS });
      }
      for (const { event, seenAt, value } of view.countedBy(term)) {
        const amount = convert(currency, value, event.createdAt);
        if (amount !== null && (linkedAt === null || event.linkedAt === linkedAt))
          events.push({ event, seenAt, value: amount });
      }
    }
    return { days: new MergedRanges(days, merge), events: new SeenValues(events, merge) };
  };
  const currencyOf = (term: Term): string => byCurrency.find((each) => each.term.id === term.id)!.currency;
  return { terms: byCurrency.map(({ term }) => term), valueAt, currencyOf, rateAt };
}

/** Finds the rate of an amount of a currency at a second of a UTC day; null without any. */
function rateTo(convertTo: string, { rates }: CompileContext): (currency: string, atS: number) => bigint | null {
  return (currency, atS) =>
    currency === convertTo ? unitRate : rates.before(currency, convertTo, startOf('day', atS, 'UTC'));
}

/** Reads money of one event in another currency, unrounded; null where it is absent or has no rate. */
export function convertedReader(
  event: string,
  { attribute, convertTo }: Pick<ConvertedParts, 'attribute' | 'convertTo'>,
  context: CompileContext,
): (given: HistoryEvent) => bigint | null {
  const rateAt = rateTo(convertTo, context);
  const { currencies = {} } = specOf(context.specs, event, attribute);
  const readers = Object.keys(currencies).map((currency) => ({
    currency,
    read: valueReader(context.specs, event, attribute, currency),
  }));
  return (given) => {
    for (const { currency, read } of readers) {
      const [amount, rate] = [read(given), rateAt(currency, given.createdAt)];
      if (typeof amount === 'bigint') return rate === null ? null : amount * rate;
    }
    return null;
  };
}

/** A constant of a definition in the units of converted values. */
export function toConverted(text: string): bigint {
  return toBillionths(text) * unitRate;
}

/** The shortest plain decimal of a converted value; exact. */
export function convertedText(value: bigint): string {
  return formatScaled(value, convertedDigits);
}

/** The same events, kept apart by UTC day at the coarsest. */
function byDay(scope: Scope): Scope {
  if (scope.kind === 'link') return { ...scope, byDay: true };
  if (scope.kind !== 'total') return scope;
  const { from, to } = scope;
  return { kind: 'day', zone: 'UTC', from, keep: null, ...(to === null ? {} : { to }) };
}

/** The UTC day of a bucket, or a second of it, and its link if it is that of a link. */
export function placeOf(scope: Scope, bucket: number): { readonly dayS: number; readonly linkedAt?: number } {
  return scope.kind === 'link' ? linkDayOf(bucket) : { dayS: bucket };
}

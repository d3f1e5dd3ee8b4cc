import fc from 'fast-check';
import type { HistoryEvent, LinkPeriod } from '../../src/evaluation/history';
import { attributeTexts } from './generate-attributes';
import { dayStarts } from './local-calendar';

/* Generators of links and events: within three weeks, close to starts of days, with equal seconds, late ones, bad values. */

/** On the Azores, in Havana and in Cairo clocks go back over midnight. On Lord Howe they change by half an hour. */
export const zones = [
  'UTC',
  'Europe/Riga',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Atlantic/Azores',
  'America/Havana',
  'Africa/Cairo',
] as const;

/** Zones whose days can begin between full UTC hours: windows of hours are refused there. */
export const zonesWithoutHours: ReadonlySet<string> = new Set(['Asia/Kathmandu', 'Australia/Lord_Howe']);

const dayS = 86_400;

/** Three weeks with the end of a month. */
export interface Span {
  readonly fromS: number;
  readonly toS: number;
}

/**
 * Riga and the Azores change their clocks on 25 October and 28 March, New York and Havana on 1 November and 14 March, Cairo at the
 * end of 29 October, Lord Howe on 4 April. The last two spans have a week 53 with the end of a year, and a 29 February.
 */
export const span: fc.Arbitrary<Span> = fc
  .constantFrom(
    '2026-10-19T00:00:00Z',
    '2027-03-12T00:00:00Z',
    '2027-03-22T00:00:00Z',
    '2026-12-21T00:00:00Z',
    '2028-02-19T00:00:00Z',
  )
  .map((text) => Date.parse(text) / 1000)
  .map((fromS) => ({ fromS, toS: fromS + 21 * dayS }));

const offset = fc.constantFrom(-1, 0, 0, 1);

/** A second of the span: anywhere, or at the start of a day of some zone, of an hour, or a second off it. */
export function secondIn({ fromS, toS }: Span): fc.Arbitrary<number> {
  const dayStart = fc.constantFrom(...new Set(zones.flatMap((zone) => dayStarts(zone, fromS, toS))));
  const hourStart = fc.integer({ min: fromS / 3600, max: toS / 3600 }).map((hour) => hour * 3600);
  return fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: fromS, max: toS }) },
    { weight: 2, arbitrary: fc.tuple(dayStart, offset).map(([start, offsetS]) => start + offsetS) },
    { weight: 1, arbitrary: fc.tuple(hourStart, offset).map(([start, offsetS]) => start + offsetS) },
  );
}

/** One to three links, one after another, of two accounts; the last one may last. One may follow another that ended in its second. */
export function links(within: Span): fc.Arbitrary<LinkPeriod[]> {
  const begin = fc.oneof(
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 40 * dayS }).map((agoS) => within.fromS - agoS) },
    { weight: 3, arbitrary: secondIn(within) },
  );
  return fc
    .record({
      bounds: fc.uniqueArray(begin, { minLength: 1, maxLength: 5 }).map((seconds) => seconds.sort((a, b) => a - b)),
      accounts: fc.array(fc.constantFrom('account-1', 'account-2'), { minLength: 3, maxLength: 3 }),
      isGapless: fc.boolean(),
      brief: fc.integer({ min: 0, max: 11 }),
    })
    .map(({ bounds, accounts, isGapless, brief }) =>
      bounds
        .filter((_, i) => i % 2 === 0)
        .flatMap((linkedAt, i): LinkPeriod[] => {
          const account = accounts[i];
          const unlinkedAt = (isGapless ? bounds[2 * i + 2] : bounds[2 * i + 1]) ?? null;
          const other = account === 'account-1' ? 'account-2' : 'account-1';
          const period = { linkedAt, unlinkedAt, account };
          return brief === i ? [period, { linkedAt, unlinkedAt: linkedAt, account: other }] : [period];
        }),
    );
}

/** What events are made for. */
export interface EventsPlace {
  readonly within: Span;
  readonly links: readonly LinkPeriod[];
  readonly horizonS: number;
  /** Seconds that links and definitions name: some events happen, or are received, exactly then. */
  readonly bounds: readonly number[];
}

/** Events of some links, at most so many, in any order. */
export function events(place: EventsPlace, most: number): fc.Arbitrary<HistoryEvent[]> {
  const { within, links: linkPeriods, horizonS, bounds } = place;
  const draft = fc.record({
    // Their UTF-16 and UTF-8 orders differ.
    idStart: fc.constantFrom('a', 'B', 'é', '\uffee', '😀', '10', '9'),
    name: fc.constantFrom('deposit', 'deposit', 'deposit', 'bet', 'bet', 'kyc_status', 'login', 'unknown'),
    createdAt: fc.oneof(
      { weight: 5, arbitrary: secondIn(within) },
      { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...bounds), offset).map(([bound, offsetS]) => bound + offsetS) },
    ),
    isSameSecondAsBefore: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
    delayS: delay(horizonS),
    receivedWith: fc.oneof(
      { weight: 7, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.constantFrom(...bounds.flatMap((bound) => [bound, bound + horizonS])) },
    ),
    link: fc.oneof(
      { weight: 3, arbitrary: fc.constant('of its second' as const) },
      { weight: 1, arbitrary: fc.nat({ max: linkPeriods.length - 1 }) },
    ),
    contractVersion: fc.constantFrom(1, 2, 2, 3),
    texts: attributeTexts,
  });
  return fc.array(draft, { maxLength: most, size: 'max' }).map((drafts) => {
    const made: HistoryEvent[] = [];
    for (const [i, { idStart, isSameSecondAsBefore, delayS, receivedWith, link, texts, ...rest }] of drafts.entries()) {
      const createdAt = isSameSecondAsBefore && i > 0 ? made[i - 1].createdAt : rest.createdAt;
      const ofSecond = linkPeriods.filter((period) => period.linkedAt <= createdAt).at(-1) ?? linkPeriods[0];
      const { linkedAt, account } = typeof link === 'number' ? linkPeriods[link] : ofSecond;
      const attributes = texts[rest.name] ?? {};
      made.push({
        ...rest,
        id: `${idStart}${i}`,
        createdAt,
        receivedAt: receivedWith !== null && receivedWith >= createdAt ? receivedWith : createdAt + delayS,
        linkedAt,
        account,
        attributes,
      });
    }
    return made;
  });
}

/** Seconds from the event to its receipt: soon, ahead, by days, on both sides of the horizon. */
function delay(horizonS: number): fc.Arbitrary<number> {
  return fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 0, max: 60 }) },
    { weight: 1, arbitrary: fc.integer({ min: -dayS, max: -1 }) },
    { weight: 1, arbitrary: fc.integer({ min: 60, max: horizonS }) },
    { weight: 1, arbitrary: fc.constantFrom(horizonS - 1, horizonS, horizonS + 1) },
    { weight: 1, arbitrary: fc.integer({ min: horizonS + 1, max: horizonS + 10 * dayS }) },
  );
}

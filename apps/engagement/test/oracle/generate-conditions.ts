import fc from 'fast-check';
import type { CompareOp, Condition, Filter, Period, Window } from '../../src/evaluation/condition';
import { asSet, specs, tests } from './generate-attributes';
import { type Span, secondIn, zonesWithoutHours } from './generate-history';
import { targets } from './generate-rates';
import { dayStarts } from './local-calendar';

/* Generators of conditions that validation accepts. */

/** Where a condition stands. */
export interface ConditionPlace {
  readonly span: Span;
  readonly zone: string;
  /** Whether it is the goal of a task, which alone has a task window. */
  readonly isGoal: boolean;
  /** Ids of the segments that it may refer to. */
  readonly segments: readonly string[];
}

const ops = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'gte', 'gte', 'gte'] as const;
const anyOp: fc.Arbitrary<CompareOp> = fc.constantFrom(...ops);
const gte: fc.Arbitrary<'gte'> = fc.constant('gte');
export const period: fc.Arbitrary<Period> = fc.constantFrom('day', 'week', 'month');
const eventNames = ['deposit', 'deposit', 'deposit', 'bet', 'bet', 'kyc_status', 'login'] as const;
const counts = fc.constantFrom('0', '1', '1', '2', '2', '3', '5');

/** A condition up to two levels of logic deep. */
export function condition(place: ConditionPlace): fc.Arbitrary<Condition> {
  const { node } = fc.letrec<{ node: Condition }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 2, depthSize: 'small', withCrossShrink: true },
      { weight: 5, arbitrary: leaf(place) },
      {
        weight: 1,
        arbitrary: fc.array(tie('node'), { minLength: 1, maxLength: 3 }).map((all) => ({ all: asSet(all) })),
      },
      {
        weight: 1,
        arbitrary: fc.array(tie('node'), { minLength: 1, maxLength: 3 }).map((any) => ({ any: asSet(any) })),
      },
      { weight: 1, arbitrary: tie('node').map((not) => ({ not })) },
    ),
  }));
  return node;
}

/** A goal that `every` may repeat: one count or sum with gte over a window that never moves. */
export function repeatableGoal(place: ConditionPlace): fc.Arbitrary<Condition> {
  const windows = fc.oneof(fixedWindow(place), fc.constant<Window>({ task: true }));
  return fc.oneof(
    count(windows, gte, fc.constantFrom('1', '1', '2', '3')),
    sum(place, windows, gte, fc.constantFrom('0.5', '10', '20.5', '60')),
  );
}

/** A growing goal over its task window, whose deciding event a formula may take a percentage of. */
export function depositGoal(): fc.Arbitrary<Condition> {
  const windows = fc.constant<Window>({ task: true });
  const where = tests('deposit');
  const deposit = where.map((of): Filter => ({ event: 'deposit', where: of }));
  return fc.oneof(
    fc.record({ count: deposit, window: windows, op: gte, value: counts }),
    fc.record({ distinct: deposit, attribute: fc.constant('method'), window: windows, op: gte, value: counts }),
    fc.record({
      sum: deposit,
      attribute: fc.constant('amount'),
      currency: fc.constant('EUR'),
      window: windows,
      op: gte,
      value: fc.constantFrom('10', '60'),
    }),
    fc.record({
      max: deposit,
      attribute: fc.constant('amount'),
      currency: fc.constant('EUR'),
      window: windows,
      op: gte,
      value: fc.constantFrom('10', '25.5'),
    }),
  );
}

/** Any window that may be stated here. */
export function anyWindow(place: ConditionPlace): fc.Arbitrary<Window> {
  const moving: fc.Arbitrary<Window> = fc.oneof(
    rollingDays.map((rolling) => ({ rolling })),
    period.map((calendar) => ({ calendar })),
  );
  const hours: fc.Arbitrary<Window> = fc.constantFrom('PT1H', 'PT2H', 'PT25H').map((rolling) => ({ rolling }));
  const task = fc.constant<Window>({ task: true });
  return fc.oneof(
    { weight: 3, arbitrary: moving },
    { weight: 3, arbitrary: fixedWindow(place) },
    { weight: zonesWithoutHours.has(place.zone) ? 0 : 1, arbitrary: hours },
    { weight: place.isGoal ? 4 : 0, arbitrary: task },
  );
}

/** Event names with the filters of a term. */
export function filter(names: fc.Arbitrary<string>): fc.Arbitrary<Filter> {
  return names.chain((event) => tests(event).map((where) => ({ event, where })));
}

const rollingDays = fc.constantFrom('P1D', 'P2D', 'P3D', 'P7D', 'P14D');
const anyFilter = filter(fc.constantFrom(...eventNames));

function fixedWindow({ span, zone }: ConditionPlace): fc.Arbitrary<Window> {
  const day = fc.constantFrom(...dayStarts(zone, span.fromS, span.toS));
  const bound = fc.oneof({ weight: 3, arbitrary: day }, { weight: 1, arbitrary: secondIn(span) });
  const between = fc
    .tuple(bound, bound)
    .filter(([from, to]) => from < to)
    .map((bounds): Window => ({ between: bounds }));
  return fc.oneof(fc.constant<Window>({ lifetime: true }), fc.constant<Window>({ since: 'link' }), between);
}

function leaf(place: ConditionPlace): fc.Arbitrary<Condition> {
  const windows = anyWindow(place);
  return fc.oneof(
    { weight: 4, arbitrary: count(windows, anyOp) },
    { weight: 3, arbitrary: sum(place, windows, anyOp) },
    { weight: 2, arbitrary: extreme(place, windows) },
    { weight: 2, arbitrary: distinct(windows) },
    { weight: 1, arbitrary: latest },
    { weight: 1, arbitrary: fc.record({ absent: anyFilter, window: rollingDays.map((rolling) => ({ rolling })) }) },
    { weight: 2, arbitrary: sequence },
    { weight: 2, arbitrary: fc.record({ streak: anyFilter, every: period, op: anyOp, value: counts }) },
    ...place.segments.map((in_segment) => ({ weight: 1, arbitrary: fc.constant<Condition>({ in_segment }) })),
  );
}

function count(
  windows: fc.Arbitrary<Window>,
  op: fc.Arbitrary<CompareOp>,
  value: fc.Arbitrary<string> = counts,
): fc.Arbitrary<Condition> {
  return fc.record({ count: anyFilter, window: windows, op, value });
}

interface TermChoice {
  readonly event: string;
  readonly attribute: string;
  readonly currency?: string;
  readonly convert_to?: string;
}

/** Money in one currency, or converted where the zone allows it. */
function convertible(zone: string, chosen: fc.Arbitrary<TermChoice>): fc.Arbitrary<TermChoice> {
  return fc
    .tuple(chosen, fc.constantFrom(true, true, true, false), fc.constantFrom(...targets))
    .map(([{ currency, ...rest }, isConverted, to]) =>
      currency === undefined
        ? rest
        : zone === 'UTC' && isConverted
          ? { ...rest, convert_to: to }
          : { ...rest, currency },
    );
}

/** An attribute with its event, and the currency if it is money. */
const term = (accepts: (type: string) => boolean): fc.Arbitrary<TermChoice> => {
  const known = Object.entries(specs).flatMap(([event, attributes]) =>
    Object.entries(attributes).flatMap(([attribute, spec]) => (accepts(spec.type) ? [{ event, attribute, spec }] : [])),
  );
  return fc
    .tuple(fc.constantFrom(...known), fc.constantFrom('EUR', 'EUR', 'USD', 'JPY'))
    .map(([{ event, attribute, spec }, currency]) =>
      spec.currencyAttribute === undefined ? { event, attribute } : { event, attribute, currency },
    );
};

const amounts = fc.constantFrom('0', '1', '10', '20.5', '-0.5', '60', '0.000000001');

function sum(
  { zone }: ConditionPlace,
  windows: fc.Arbitrary<Window>,
  op: fc.Arbitrary<CompareOp>,
  value: fc.Arbitrary<string> = amounts,
): fc.Arbitrary<Condition> {
  return convertible(
    zone,
    term((type) => type === 'integer' || type === 'decimal'),
  ).chain(({ event, ...of }) =>
    fc.record({ sum: filter(fc.constant(event)), window: windows, op, value }).map((made) => ({ ...made, ...of })),
  );
}

function extreme({ zone }: ConditionPlace, windows: fc.Arbitrary<Window>): fc.Arbitrary<Condition> {
  const numbers = term((type) => type === 'integer' || type === 'decimal' || type === 'timestamp');
  const terms = convertible(zone, numbers);
  return fc.tuple(terms, fc.boolean()).chain(([{ event, ...of }, isMin]) => {
    const isTime = specs[event][of.attribute].type === 'timestamp';
    const value = isTime ? fc.constantFrom('1793232000', '1805500800') : amounts;
    return fc
      .tuple(filter(fc.constant(event)), fc.record({ window: windows, op: anyOp, value }))
      .map(([matched, made]) => ({ ...(isMin ? { min: matched } : { max: matched }), ...made, ...of }));
  });
}

function distinct(windows: fc.Arbitrary<Window>): fc.Arbitrary<Condition> {
  return term(() => true)
    .filter(({ currency }) => currency === undefined)
    .chain(({ event, attribute }) =>
      fc
        .record({ distinct: filter(fc.constant(event)), window: windows, op: anyOp, value: counts })
        .map((made) => ({ ...made, attribute })),
    );
}

const latest: fc.Arbitrary<Condition> = fc
  .constantFrom('deposit', 'bet', 'kyc_status')
  .chain((name) => tests(name, 1).map((where) => ({ latest: name, where })));

const sequence: fc.Arbitrary<Condition> = fc.record({
  sequence: fc.array(anyFilter, { minLength: 2, maxLength: 4 }),
  within: fc.constantFrom('P7D', 'P1D', 'PT1H', 'PT36H', 'P3DT1S', 'PT1S', 'P35D'),
});

import { addPeriods, periodName, startOf } from './calendar';
import { Aggregate, aggregateParts, isOnlyRaised, termOf, valueAt } from './compile-comparison';
import { convertedParts, isConverted } from './compile-converted';
import { CompileContext } from './condition-node';
import { Period } from './condition';
import { convertedText, convertedValue, toConverted } from './converted-value';
import { TaskBody } from './definition';
import { formatDecimal, toBillionths } from './exact-decimal';
import { Moment } from './moment';
import { Scope, Term } from './terms';
import { WindowedValue, windowedValue } from './windowed-value';
import { compileWindow, fixedWindow } from './windows';

/** When a task is paid again: once, per period, or every N. */
export type CompiledRepeat = { readonly kind: 'once' } | CompiledPeriods | CompiledSteps;

/** `per`: the name of the period of an instant, and the Unix seconds at which that and the next one begin. */
export interface CompiledPeriods {
  readonly kind: 'per';
  keyAt(atS: number): string;
  startAt(atS: number): number;
  nextAt(atS: number): number;
}

/** `every`: occurrence n is reached when the value passes `first + (n - 1) * step`, all in the same units. */
export interface CompiledSteps {
  readonly kind: 'every';
  readonly first: bigint;
  readonly step: bigint;
  /** The value of events of before dates and generation (of a link also of before the link), whenever they were received. */
  baseAt(moment: Moment): bigint;
  /** The value of the other events that the instant sees. */
  insideAt(moment: Moment): bigint;
  /** The number of occurrences that a value has passed. */
  passedBy(value: bigint): number;
  /** The same for the same steps of the same values. */
  readonly key: string;
  /** The values of `baseAt` and `insideAt`, when events only raise them; null: every event is evaluated. */
  readonly watched: { readonly base: WindowedValue; readonly inside: WindowedValue } | null;
  /** The decimal of a value. */
  textOf(value: bigint): string;
}

/** Later occurrences of `every` are never reached; their numbers are stored as 32-bit integers. */
const maxSteps = 2_000_000_000n;

/** Once in every period of the zone. */
export function compilePeriods(per: Period, zone: string): CompiledRepeat {
  return {
    kind: 'per',
    keyAt: (atS) => periodName(per, atS, zone),
    startAt: (atS) => startOf(per, atS, zone),
    nextAt: (atS) => addPeriods(per, atS, 1, zone),
  };
}

/** Once every N of the goal's count or sum; `terms` are those that its values need. */
export function compileSteps(
  { goal }: TaskBody,
  every: string,
  context: CompileContext,
  startS: number,
): { repeat: CompiledSteps; terms: Term[] } {
  if (!('count' in goal) && !('sum' in goal))
    throw new TypeError('a goal that is no count or sum was published to repeat');
  const part = (which: 'base' | 'inside'): StepValue => {
    const window = fixedWindow(partOf(compileWindow(goal.window, context).scope, which, startS));
    if (isConverted(goal)) return convertedValue(convertedParts(goal), window, context);
    const term = termOf(aggregateParts(goal satisfies Aggregate), window, context);
    return { terms: [term], valueAt: (moment) => valueAt(term, window, moment), shared: windowedValue(term, window) };
  };
  const base = part('base');
  const inside = part('inside');
  const [unitsOf, textOf] = isConverted(goal) ? [toConverted, convertedText] : [toBillionths, formatDecimal];
  const first = unitsOf(goal.value);
  const step = unitsOf(every);
  const terms = [...base.terms, ...inside.terms];
  const onlyRises = isOnlyRaised(aggregateParts(goal), context);
  return {
    terms,
    repeat: {
      kind: 'every',
      key: [...terms.map(({ id }) => id), goal.value, every].join(' '),
      watched: base.shared && inside.shared && onlyRises ? { base: base.shared, inside: inside.shared } : null,
      ...{ first, step, textOf },
      baseAt: (moment) => base.valueAt({ ...moment, atS: Infinity }) ?? 0n,
      insideAt: (moment) => inside.valueAt(moment) ?? 0n,
      passedBy: (value) => {
        const steps = value < first ? 0n : (value - first) / step + 1n;
        return steps > maxSteps ? Number(maxSteps) : Number(steps);
      },
    },
  };
}

interface StepValue {
  readonly terms: readonly Term[];
  /** Not of converted money. */
  readonly shared?: WindowedValue;
  valueAt(moment: Moment): bigint | null;
}

function partOf(scope: Scope, part: 'base' | 'inside', startS: number): Scope {
  if (scope.kind === 'link') return { kind: 'link', part, start: startS };
  if (scope.kind !== 'total') throw new TypeError('a goal over buckets was published to repeat');
  const { from, to } = scope;
  return part === 'base'
    ? { kind: 'total', from, to: Math.min(startS, to ?? Infinity) }
    : { kind: 'total', from: Math.max(startS, from ?? -Infinity), to };
}

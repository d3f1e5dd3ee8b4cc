import { EventTest } from './event-filter';
import { WindowedValue } from './windowed-value';

/** Whether a part makes its condition hold (1) or, below `not`, keeps it from holding (-1). */
export type Polarity = 1 | -1;

/** A value, which events only raise, reaching a threshold. */
export interface ThresholdSensitivity {
  readonly kind: 'threshold';
  readonly value: WindowedValue;
  readonly threshold: bigint;
  readonly polarity: Polarity;
}

/**
 * What a condition is sensitive to: if none of these changes at any instant, the condition does not. They tell which events
 * have to be evaluated, so that thousands of definitions cost an event no more than their terms.
 */
export type Sensitivity =
  | ThresholdSensitivity
  /** Whether the newest event passes. */
  | { readonly kind: 'latest'; readonly event: string; readonly passes: EventTest }
  /** Any event that passes. */
  | { readonly kind: 'event'; readonly names: ReadonlySet<string>; readonly passes: EventTest };

/** To what a part of a definition is sensitive; all definitions that depend on the part share one list. */
export interface SensitivityList {
  readonly all: readonly Sensitivity[];
  /** The values of thresholds that time lowers: with them the definition only loses … */
  readonly lostBy: readonly WindowedValue[];
  /** … and with these it only gains. */
  readonly gainedBy: readonly WindowedValue[];
}

/** Makes a list in which a threshold is listed once, however many versions compare with it. */
export function sensitivityList(given: readonly Sensitivity[]): SensitivityList {
  const thresholds = new Map<string, ThresholdSensitivity>();
  const others: Sensitivity[] = [];
  for (const each of given) {
    if (each.kind !== 'threshold') others.push(each);
    else thresholds.set(`${each.polarity} ${each.threshold} ${each.value.key}`, each);
  }
  const fallingOf = (polarity: Polarity): WindowedValue[] => {
    const falling = [...thresholds.values()].filter((each) => each.polarity === polarity && each.value.falls);
    return [...new Map(falling.map(({ value }) => [value.key, value])).values()];
  };
  return { all: [...thresholds.values(), ...others], lostBy: fallingOf(1), gainedBy: fallingOf(-1) };
}

/** The polarity of a part within another one. */
export function polarityWithin(outer: Polarity, inner: Polarity): Polarity {
  return outer === inner ? 1 : -1;
}

/** Sensitive to every event of these names. */
export function toEveryEvent(names: ReadonlySet<string>): Sensitivity {
  return { kind: 'event', names, passes: () => true };
}

/** A comparison of a value that events only raise; null when it is of another kind. */
export function thresholdOf(
  value: WindowedValue,
  { op, right }: { readonly op: string; readonly right: bigint },
  polarity: Polarity,
): Sensitivity | null {
  const make = (threshold: bigint, direction: Polarity): Sensitivity => ({
    ...{ kind: 'threshold', value, threshold },
    polarity: polarityWithin(polarity, direction),
  });
  // Values are whole billionths.
  const above = 1n;
  const { measure } = value.term;
  // The least or greatest of nothing satisfies neither a comparison nor its opposite.
  if (measure === 'min') return op === 'lte' ? make(-right, 1) : op === 'lt' ? make(-right + above, 1) : null;
  if (op === 'gte') return make(right, 1);
  if (op === 'gt') return make(right + above, 1);
  if (measure === 'max') return null;
  if (op === 'lt') return make(right, -1);
  return op === 'lte' ? make(right + above, -1) : null;
}

import { EventTest } from './event-filter';
import { WindowedValue } from './windowed-value';

/** Whether a part makes its condition hold (1) or, below `not`, keeps it from holding (-1). */
export type Polarity = 1 | -1;

/**
 * What a condition is sensitive to: if none of these changes at any instant, the condition does not. They tell which events
 * have to be evaluated, so that thousands of definitions cost an event no more than their terms.
 */
export type Sensitivity =
  /** A value, which events only raise, reaching a threshold. */
  | {
      readonly kind: 'threshold';
      readonly value: WindowedValue;
      readonly threshold: bigint;
      readonly polarity: Polarity;
    }
  /** Whether the newest event passes. */
  | { readonly kind: 'latest'; readonly event: string; readonly passes: EventTest }
  /** Any event that passes. */
  | { readonly kind: 'event'; readonly names: ReadonlySet<string>; readonly passes: EventTest };

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
    polarity: polarity === direction ? 1 : -1,
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

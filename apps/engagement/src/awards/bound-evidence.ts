import { Evidence } from '../evaluation/owed';

/** Longest evidence, bytes of JSON. */
const maxBytes = 2048;

/** Why an award was issued, as it is stored: under which version, and what of the evidence has space. */
export interface BoundedEvidence extends Evidence {
  readonly version: number;
  /** Something was left out. */
  readonly cut?: true;
}

/** Leaves out the last events, and then the last values, until the rest has at most 2 KB; what was bounded before stays. */
export function boundEvidence(evidence: Evidence | BoundedEvidence, version: number): BoundedEvidence {
  if ('version' in evidence) return evidence;
  const { values, events } = evidence;
  const whole = { version, values, events };
  if (bytesOf(whole) <= maxBytes) return whole;
  const keptEvents = [...events];
  const keptValues = Object.entries(values);
  for (;;) {
    if (keptEvents.length > 1) keptEvents.pop();
    else if (keptValues.length > 0) keptValues.pop();
    else keptEvents.pop();
    const bounded = { version, values: Object.fromEntries(keptValues), events: keptEvents, cut: true } as const;
    if (bytesOf(bounded) <= maxBytes || (keptEvents.length === 0 && keptValues.length === 0)) return bounded;
  }
}

function bytesOf(evidence: object): number {
  return Buffer.byteLength(JSON.stringify(evidence));
}

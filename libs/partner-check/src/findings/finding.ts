/**
 * What a finding means for users. `blocks`: nobody can link, or links end at once. `unsafe`: accounts are at risk.
 * `fragile`: links work until something happens, such as an expired token. `advice`: nothing breaks.
 */
export type Severity = 'blocks' | 'unsafe' | 'fragile' | 'advice';

/** A mistake that partners' servers make. */
export interface FindingRow {
  readonly severity: Severity;
  readonly title: string;
  /** Where the rule is: a document and its section. */
  readonly rule: string;
  /** What it does to users, and why. */
  readonly effect: string;
  /** What the partner changes. */
  readonly fix: string;
}

/** Order of severities in reports, worst first. */
export const severities: readonly Severity[] = ['blocks', 'unsafe', 'fragile', 'advice'];

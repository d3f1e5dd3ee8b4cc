import { Severity } from '../prometheus/rule-group';

/** A rate of budget use at which an alert fires. */
export interface BurnRate {
  readonly severity: Severity;
  /** Over this window the budget must have burned at the rate. */
  readonly long: Window;
  /** Also over this shorter window, so that the alert ends soon after the problem. */
  readonly short: Window;
  /** Multiple of the rate that uses up the budget in exactly its 30 days. */
  readonly factor: number;
  /** Share of the whole budget that the long window then has used up. */
  readonly budgetUsed: string;
  /** Fewer bad events in the long window raise no alert: a few failures among few requests are no trend. */
  readonly minBadEvents: number;
  readonly for: string;
}

/** Windows over which errors are recorded. */
export const windows = ['5m', '30m', '1h', '2h', '6h', '1d', '3d'] as const;

/** A window of the recordings. */
export type Window = (typeof windows)[number];

/** The time over which an objective is promised. */
export const budgetWindow = '30d';

/** Multi-window, multi-burn-rate alerts as in Google's SRE workbook, chapter 5. */
export const burnRates: readonly BurnRate[] = [
  { severity: 'page', long: '1h', short: '5m', factor: 14.4, budgetUsed: '2 %', minBadEvents: 10, for: '2m' },
  { severity: 'page', long: '6h', short: '30m', factor: 6, budgetUsed: '5 %', minBadEvents: 10, for: '2m' },
  { severity: 'ticket', long: '1d', short: '2h', factor: 3, budgetUsed: '10 %', minBadEvents: 5, for: '15m' },
  { severity: 'ticket', long: '3d', short: '6h', factor: 1, budgetUsed: '10 %', minBadEvents: 5, for: '15m' },
];

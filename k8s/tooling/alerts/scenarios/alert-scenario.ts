/** One scenario for an alert: series of samples, and whether it fires. */
export interface AlertScenario {
  readonly alert: string;
  /** Description for people. */
  readonly when: string;
  /** Between samples, a Prometheus duration; default 30s. */
  readonly interval?: '30s' | '5m';
  /** Series with their samples, in promtool's notation. */
  readonly series: Readonly<Record<string, string>>;
  /** When to evaluate, a Prometheus duration from the first sample. */
  readonly at: string;
  /** Labels, without the severity, of each alert that fires then; empty when none may. */
  readonly fires: readonly Readonly<Record<string, string>>[];
}

/** One course of events for an alert. */
export interface AlertTest {
  readonly alert: string;
  /** What happens, for people. */
  readonly when: string;
  /** Series with their samples, in promtool's notation. */
  /** Between samples, a Prometheus duration; default 30s. */
  readonly interval?: '30s' | '5m';
  readonly series: Readonly<Record<string, string>>;
  /** When to look, a Prometheus duration from the first sample. */
  readonly at: string;
  /** Labels beside the severity of each alert that fires then; empty when nothing may. */
  readonly fires: readonly Readonly<Record<string, string>>[];
}

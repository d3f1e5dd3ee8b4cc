/** Required response: `page` alerts the person on call, `ticket` waits for the next working day. */
export type Severity = 'page' | 'ticket';

/** A rule as Prometheus reads it. */
export interface Rule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Rules that are evaluated one after the other. */
export interface RuleGroup {
  readonly name: string;
  readonly interval?: string;
  readonly rules: readonly Rule[];
}

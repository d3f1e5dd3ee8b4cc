import { Severity } from '../prometheus/rule-group';

/** An alert on a cause: one row of the tables in this folder. */
export interface CauseAlert {
  /** In CamelCase; its runbook is the page of this name in kebab-case. */
  readonly name: string;
  readonly severity: Severity;
  /** PromQL; fires while it has a result. */
  readonly expr: string;
  /** How long the condition must hold, a Prometheus duration. */
  readonly for: string;
  /** One line; labels by Prometheus' templates. */
  readonly summary: string;
  /** Effect on users, and the usual cause. */
  readonly description: string;
}

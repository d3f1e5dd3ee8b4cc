/** How soon somebody must look: `page` wakes somebody, `ticket` waits for the next working day. */
export type Severity = 'page' | 'ticket';

/** An alert on a cause, as it stands in the table. */
export interface CauseAlert {
  /** In CamelCase; its runbook is the page of this name in kebab-case. */
  readonly name: string;
  readonly severity: Severity;
  /** PromQL; fires while it has a result. */
  readonly expr: string;
  /** How long it must hold, a Prometheus duration. */
  readonly for: string;
  /** One line; labels by Prometheus' templates. */
  readonly summary: string;
  /** What it means for users, and what usually is behind it. */
  readonly description: string;
}

/** Where `docs/operations/runbooks` is published. */
export const runbooksUrl = 'https://docs.podium.example/operations/runbooks';

/** The address of a runbook. */
export function runbookUrl(page: string): string {
  return `${runbooksUrl}/${page}.md`;
}

/** The page of an alert: its name in kebab-case. */
export function runbookOf(alert: string): string {
  return alert.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
}

/** Public address of `docs/operations/runbooks`. */
export const runbooksUrl = 'https://docs.podium.example/operations/runbooks';

/** The address of a runbook. */
export function runbookUrl(page: string): string {
  return `${runbooksUrl}/${page}.md`;
}

/** The page of an alert: its name in kebab-case. */
export function runbookOf(alert: string): string {
  return alert.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
}

/** What users of a dry run add to a task. */
export interface TrialCounts {
  readonly users: number;
  readonly awards: number;
  /** Occurrences that `max_per_event` holds for an approver. */
  readonly held: number;
  /** Of users who were not linked. */
  readonly unlinked: number;
  /** Whose reward has no amount. */
  readonly unpayable: number;
  /** Whose account is paid under another user. */
  readonly blocked: number;
}

/** The sum of the counts of users. */
export function sumCounts(all: readonly TrialCounts[]): TrialCounts {
  const sum = { users: 0, awards: 0, held: 0, unlinked: 0, unpayable: 0, blocked: 0 };
  for (const counts of all) for (const name of Object.keys(sum) as (keyof TrialCounts)[]) sum[name] += counts[name];
  return sum;
}

import { compareAwards } from '../awards/compare-awards';
import { PaidAccounts, decideAwards } from '../awards/decide-awards';
import { UnissuedStatus } from '../awards/known-award';
import { lengthOf } from '../awards/occurrence-range';
import { TaskFinding } from '../awards/task-finding';
import { TrialCounts } from './trial-counts';
import { TrialAward } from './trial-results.store';

/** What a task would issue to one user. */
export interface TriedTask {
  readonly awards: readonly TrialAward[];
  readonly counts: TrialCounts;
}

/**
 * Decides what a task would issue to a user for whom nothing is known of it yet, by the rules of the engine: the cap, a link,
 * `max_per_event`, the key of the account, a reward with an amount. The budget is applied later, over all users.
 */
export function tryTask(finding: TaskFinding, paid: PaidAccounts, nowS: number): TriedTask {
  const comparison = compareAwards(finding, { awards: [], unissued: [], standings: new Map() }, nowS);
  const { issue, unissued } = decideAwards(finding, comparison, paid);
  const total = (status: UnissuedStatus): number =>
    unissued.filter((each) => each.status === status).reduce((sum, { range }) => sum + lengthOf(range), 0);
  return {
    awards: issue.map(({ range, occurrence, account, reward, terms }) => ({
      ...{ userRef: finding.user.userRef, reachedAt: terms.reachedAt, n: range.first, occurrence, account, reward },
    })),
    counts: {
      users: issue.length > 0 ? 1 : 0,
      awards: issue.length,
      held: total('held_by_limit'),
      unlinked: total('unlinked'),
      unpayable: total('withheld'),
      blocked: total('blocked'),
    },
  };
}

import { BonusAwardIssuedData } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';
import { AwardToIssue } from './decide-awards';
import { readPaidToOthers } from './known-awards.store';
import { OccurrenceRange } from './occurrence-range';
import { TaskOfUser } from './task-finding';

/** Occurrences that may be issued to an account. */
export interface AccountCandidate {
  readonly account: string | null;
  readonly range: OccurrenceRange;
  /** Awards that were reversed count, too. */
  readonly orReversed?: boolean;
}

/** Which accounts were paid under other users, in the ledger or by earlier decisions of this transaction. */
export class PaidAccountsOfBatch {
  private readonly claims = new Set<string>();

  private constructor(
    private readonly tasks: readonly TaskOfUser[],
    private readonly paid: ReadonlySet<string>,
  ) {}

  /** `candidates` are those of each task, in the order of the tasks. */
  static async read(
    tx: Queryable,
    tasks: readonly TaskOfUser[],
    candidates: readonly (readonly AccountCandidate[])[],
  ): Promise<PaidAccountsOfBatch> {
    const wanted = candidates.flatMap((own, at) =>
      own.flatMap(({ account, ...of }) => (account === null ? [] : { at, finding: tasks[at], account, ...of })),
    );
    const rows = await readPaidToOthers(tx, wanted);
    const paid = rows.map(({ at, occurrence }) => JSON.stringify([wanted[at].at, wanted[at].account, occurrence]));
    return new PaidAccountsOfBatch(tasks, new Set(paid));
  }

  of(at: number): { has(account: string, occurrence: string): boolean } {
    return {
      has: (account, occurrence) =>
        this.paid.has(JSON.stringify([at, account, occurrence])) ||
        this.claims.has(this.keyOf(at, account, occurrence)),
    };
  }

  /** No occurrence of a user is decided twice, so that every claim is another user's to the decisions after it. */
  claim(at: number, issue: readonly AwardToIssue[]): void {
    for (const { account, occurrence } of issue) this.claims.add(this.keyOf(at, account, occurrence));
  }

  /** The claims whose awards are not among those that were issued: the budget has withheld them, and nobody was paid. */
  unpaid(issued: readonly BonusAwardIssuedData[]): { has(at: number, account: string, occurrence: string): boolean } {
    const unpaid = new Set(this.claims);
    for (const award of issued) unpaid.delete(claimKey(award.task_id, award.platform_user_id, award.occurrence));
    return { has: (at, account, occurrence) => unpaid.has(this.keyOf(at, account, occurrence)) };
  }

  private keyOf(at: number, account: string, occurrence: string): string {
    return claimKey(this.tasks[at].task.definitionId, account, occurrence);
  }
}

function claimKey(taskId: string, account: string, occurrence: string): string {
  return JSON.stringify([taskId, account, occurrence]);
}

import type { CombinedRun } from './combined-run';
import { type OracleOwed, owedOf } from './oracle';

/** More occurrences than this are not compared. */
const limit = 100;

/** What a naive recomputation finds owed now, by occurrence; each user is computed when first asked for. */
export class OwedByUser {
  private readonly found = new Map<string, ReadonlyMap<string, OracleOwed> | null>();

  constructor(private readonly run: CombinedRun) {}

  /** Null where it is too much to compare. */
  of(user: string): ReadonlyMap<string, OracleOwed> | null {
    const known = this.found.get(user);
    if (known !== undefined) return known;
    const owed = owedOf(this.run.worldOf(user), this.run.definition, this.run.nowS, { limit });
    const found = owed.length === limit ? null : new Map(owed.map((each) => [each.occurrence, each]));
    this.found.set(user, found);
    return found;
  }
}

/** Null where a formula gives no amount. */
export function amountOf(reward: OracleOwed['reward']): string | null {
  return 'unpayable' in reward ? null : reward.amount;
}

import { Pool, inTransaction } from '@podium/runtime/postgres';
import { entryNames, takePublishedEntries } from './restore-ledger';
import { PublishedEntry, recountBudgets } from './restored-ledger.store';

/** The effect of the whole topic of awards on the ledger. */
export interface RestoredAwards {
  /** Awards that the ledger did not have. */
  readonly awards: number;
  readonly entries: number;
  /** The versions of tasks that issued added awards. */
  readonly versions: readonly { readonly definitionId: string; readonly version: number }[];
  /** Published entries that differ from the ledger: `<award id>/<seq>`. */
  readonly contradictions: readonly string[];
}

/**
 * Enters the published entries of all partitions into the ledger, in parts. The partitions come interleaved, so that an award may
 * come before the reversal of the one that had its account: such awards are entered at the end.
 */
export class RestoreAwards {
  private readonly versions = new Map<string, { definitionId: string; version: number }>();
  private readonly contradictions: string[] = [];
  private blocked: PublishedEntry[] = [];
  private awards = 0;
  private entries = 0;

  constructor(private readonly pool: Pool) {}

  /** Takes entries of one partition, in its order, in one transaction. */
  async take(published: readonly PublishedEntry[]): Promise<void> {
    for (const entry of await this.enter(published)) this.blocked.push(entry);
  }

  /** Takes what was blocked, after the last part of every partition. */
  async finish(): Promise<RestoredAwards> {
    for (let before = Infinity; this.blocked.length > 0 && this.blocked.length < before;) {
      before = this.blocked.length;
      this.blocked = [...(await this.enter(this.blocked.sort((a, b) => a.atMs - b.atMs)))];
    }
    return {
      awards: this.awards,
      entries: this.entries,
      versions: [...this.versions.values()],
      contradictions: [...this.contradictions, ...entryNames(this.blocked)],
    };
  }

  /** Returns the blocked entries. */
  private async enter(published: readonly PublishedEntry[]): Promise<readonly PublishedEntry[]> {
    const taken = await inTransaction(this.pool, async (tx) => {
      const added = await takePublishedEntries(tx, published);
      if (added.addedEntries > 0) await recountBudgets(tx, [...new Set(published.map(({ award }) => award.task_id))]);
      return added;
    });
    for (const { task_id: definitionId, task_version: version } of taken.addedAwards)
      this.versions.set(`${definitionId}/${version}`, { definitionId, version });
    this.awards += taken.addedAwards.length;
    this.entries += taken.addedEntries;
    for (const name of taken.contradictions) this.contradictions.push(name);
    return taken.blocked;
  }
}

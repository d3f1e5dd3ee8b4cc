import type { ClawBack } from '../src/evaluation/definition';

/** An entry of a ledger: an issue or reversal, or the bonus engine's answer to one. */
export interface ModelEntry {
  readonly kind: 'issued' | 'reversed' | 'confirmed' | 'rejected';
  readonly seq: number;
  /** The entry that an answer answers. */
  readonly answers?: number;
}

/** An answer to the newest issue or reversal of an occurrence. */
export type ModelAnswer = 'confirmed' | 'rejected';

/** The keys of occurrences. */
export interface OwedOccurrences {
  readonly owed: ReadonlySet<string>;
  readonly payable: ReadonlySet<string>;
}

/**
 * For tests alone: what docs/engine.md says of claw-back and of the bonus engine's answers, as plainly as possible and without
 * code of the engine. It knows neither events nor time, only which occurrences are owed after each step.
 */
export class LedgerModel {
  private readonly ledgers = new Map<string, ModelEntry[]>();
  /** Issues whose unit is free again. */
  private readonly freed = new Set<string>();

  constructor(private readonly clawBack: ClawBack) {}

  /** What is owed from now on, and what of it has an account that can be paid; what is issued stays while it is owed. */
  owe({ owed, payable }: OwedOccurrences): void {
    for (const occurrence of payable) if (!this.isPaid(occurrence)) this.add(occurrence, 'issued');
    for (const occurrence of this.ledgers.keys()) {
      const newest = this.newestOf(occurrence);
      if (owed.has(occurrence) || newest?.kind !== 'issued' || this.clawBack === 'none') continue;
      const answer = this.answerTo(occurrence, newest);
      if (answer === 'rejected' || (answer === 'confirmed' && this.clawBack !== 'always')) continue;
      this.add(occurrence, 'reversed');
    }
  }

  /** The numbers of the issues and reversals of an occurrence that wait for an answer, oldest first. */
  open(occurrence: string): number[] {
    return (this.ledgers.get(occurrence) ?? [])
      .filter((entry) => entry.answers === undefined && this.answerTo(occurrence, entry) === undefined)
      .map(({ seq }) => seq);
  }

  /** Enters an answer; the unit of an issue is free once: when it is rejected, or its reversal confirmed. */
  answer(occurrence: string, seq: number, kind: ModelAnswer): void {
    const entries = this.ledgers.get(occurrence) ?? [];
    const answered = entries.find((entry) => entry.seq === seq)!;
    const issue =
      answered.kind === 'issued' ? answered : entries.findLast((each) => each.kind === 'issued' && each.seq < seq)!;
    if ((answered.kind === 'issued') === (kind === 'rejected')) this.freed.add(`${occurrence} ${issue.seq}`);
    this.add(occurrence, kind, seq);
  }

  get occurrences(): string[] {
    return [...this.ledgers.keys()];
  }

  /** The occurrences that no other user of the account is paid for: a rejected reversal takes nothing back. */
  get paid(): string[] {
    return this.occurrences.filter((occurrence) => this.isPaid(occurrence));
  }

  /** How many units were taken and are not free again. */
  get spent(): number {
    return [...this.ledgers.values()].flat().filter(({ kind }) => kind === 'issued').length - this.freed.size;
  }

  /** The ledgers, one line each: `g1:once: issued reversed`. */
  describe(): string[] {
    const lines = [...this.ledgers].map(
      ([occurrence, entries]) => `${occurrence}: ${entries.map(({ kind }) => kind).join(' ')}`,
    );
    return lines.sort();
  }

  private isPaid(occurrence: string): boolean {
    const newest = this.newestOf(occurrence);
    return newest?.kind === 'issued' || (newest !== undefined && this.answerTo(occurrence, newest) === 'rejected');
  }

  private newestOf(occurrence: string): ModelEntry | undefined {
    return this.ledgers.get(occurrence)?.findLast(({ kind }) => kind === 'issued' || kind === 'reversed');
  }

  private answerTo(occurrence: string, { seq }: ModelEntry): ModelEntry['kind'] | undefined {
    return this.ledgers.get(occurrence)?.find(({ answers }) => answers === seq)?.kind;
  }

  private add(occurrence: string, kind: ModelEntry['kind'], answers?: number): void {
    const entries = this.ledgers.get(occurrence) ?? [];
    this.ledgers.set(occurrence, [...entries, { kind, seq: entries.length + 1, ...(answers && { answers }) }]);
  }
}

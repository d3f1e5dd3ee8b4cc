import { Counter, Gauge, Registry } from '@podium/runtime/metrics';
import { LRUCache } from 'lru-cache';
import { Tables } from '../projection/table-set';
import { wholeBody } from './chunk';
import { secondOf } from './reads';
import type { SentAnswer } from './send-answer';
import type { SetStates } from './set-states';

/** An answer as it was made, and the second, Unix, that it is of; null where it does not depend on the time. */
export interface MadeAnswer {
  readonly answer: SentAnswer;
  readonly second: number | null;
}

interface Kept extends MadeAnswer {
  readonly state: string;
}

/** Asked before; kept only from the second time on, so that what is asked once pushes nothing out. */
const asked = 'asked';

/** What an entry weighs beside its key and its bytes. */
const entryBytes = 512;
/** Bytes kept with an answer for those who take gzip, as a part of its own. */
const gzipShare = 0.25;
/** Longer questions are not asked twice. */
const mostKeyLength = 512;

/**
 * Answers that are asked for again and again. Before one is given, Postgres says whether anything in the tables has changed
 * since it was made, so it is never out of date; many requests share that one look.
 */
export class KeptAnswers {
  private readonly entries: LRUCache<string, Kept | typeof asked>;
  private readonly underWay = new Map<string, Promise<MadeAnswer>>();
  private readonly outcomes: Readonly<Record<'kept' | 'changed' | 'new', Counter.Internal>>;

  constructor(
    private readonly states: SetStates,
    private readonly options: {
      readonly maxBytes: number;
      /** Unix milliseconds. */
      readonly now?: () => number;
    },
    registry: Registry,
  ) {
    const entries = new LRUCache<string, Kept | typeof asked>({
      maxSize: options.maxBytes,
      maxEntrySize: Math.ceil(options.maxBytes / 16),
      sizeCalculation: (entry, key) =>
        entryBytes + key.length + (entry === asked ? 0 : Math.ceil(entry.answer.body.byteLength * (1 + gzipShare))),
    });
    this.entries = entries;
    const registers = [registry];
    const answers = new Counter({
      name: 'competition_read_answers_total',
      help: 'Answers 200 by where they came from: kept, made anew because something had changed, or new',
      labelNames: ['outcome'],
      registers,
    });
    this.outcomes = {
      kept: answers.labels('kept'),
      changed: answers.labels('changed'),
      new: answers.labels('new'),
    };
    new Gauge({
      name: 'competition_read_answers_kept_bytes',
      help: 'Memory of the answers that are kept',
      registers,
      collect() {
        this.set(entries.calculatedSize);
      },
    });
  }

  /** The answer to a question about a set of tables; `make` makes it, and rejects where there is none. */
  async of(question: string, tables: Tables, make: () => Promise<MadeAnswer>): Promise<SentAnswer> {
    if (question.length > mostKeyLength) return this.makeNew(make);
    const key = `${tables.set} ${question}`;
    const known = this.entries.get(key);
    if (known === undefined) {
      const answer = await this.makeNew(make);
      this.entries.set(key, asked);
      return answer;
    }
    const state = await this.states.current(tables);
    if (known !== asked && known.state === state && this.isOfNow(known)) {
      this.outcomes.kept.inc();
      return known.answer;
    }
    const made = await this.makeOnce(`${key} ${state}`, make);
    this.outcomes.changed.inc();
    const answer = inOnePiece(made.answer);
    this.entries.set(key, { state, second: made.second, answer });
    return answer;
  }

  private isOfNow({ second }: Kept): boolean {
    return second === null || second === secondOf((this.options.now ?? Date.now)());
  }

  private async makeNew(make: () => Promise<MadeAnswer>): Promise<SentAnswer> {
    const { answer } = await make();
    this.outcomes.new.inc();
    return answer;
  }

  /** Who asks the same of the same state waits for the answer that is being made. */
  private makeOnce(key: string, make: () => Promise<MadeAnswer>): Promise<MadeAnswer> {
    const known = this.underWay.get(key);
    if (known) return known;
    const making = make().finally(() => this.underWay.delete(key));
    this.underWay.set(key, making);
    return making;
  }
}

/** Memory of its own, which no other answer shares. */
function inOnePiece(answer: SentAnswer): SentAnswer {
  const { body } = answer;
  return { ...answer, body: { pieces: [wholeBody(body)], byteLength: body.byteLength } };
}

import { Counter, Gauge, Registry } from '@podium/runtime/metrics';
import { LRUCache } from 'lru-cache';
import { Tables } from '../../table-sets/table-set';
import { wholeBody } from '../answers/body-parts';
import { secondOf } from '../context/read-context';
import { RecentRequests } from './recent-requests';
import type { SentAnswer } from '../answers/sent-answer';
import type { TableSetVersions } from '../../table-sets/table-set-versions';

/** An answer, and the Unix second for which it holds; null if it does not depend on the time. */
export interface MadeAnswer {
  readonly answer: SentAnswer;
  readonly second: number | null;
}

interface CachedAnswer extends MadeAnswer {
  /** Version of the table set that it was made from. */
  readonly version: string;
}

/**
 * A repeated request whose answer was made once at this version of the tables, and for this second if it depends on the time. It
 * is cached from the second such request on: one that nobody repeats in time would evict others and be garbage.
 */
type RequestedOnce = Pick<CachedAnswer, 'version' | 'second'>;

/** Overhead of an entry, in addition to its key and its bytes. */
const entryBytes = 512;
/** Memory reserved for the compressed form of an answer, as a share of its bytes. */
const gzipShare = 0.25;
/** Longer URLs are not cached. */
const maxUrlLength = 512;

/**
 * A cache of repeated answers. An entry has no lifetime: before each use, Postgres reports whether the tables have changed
 * since it was made, so it is never stale. Concurrent requests share that check.
 */
export class AnswerCache {
  private readonly entries: LRUCache<string, CachedAnswer | RequestedOnce>;
  /** First requests; repeated ones have an entry. */
  private readonly requests: RecentRequests;
  private readonly inFlight = new Map<string, Promise<MadeAnswer>>();
  private readonly outcomes: Readonly<Record<'kept' | 'changed' | 'new', Counter.Internal>>;

  constructor(
    private readonly versions: Pick<TableSetVersions, 'current'>,
    private readonly options: {
      readonly maxBytes: number;
      /** Unix milliseconds. */
      readonly now?: () => number;
    },
    registry: Registry,
  ) {
    const entries = new LRUCache<string, CachedAnswer | RequestedOnce>({
      maxSize: options.maxBytes,
      maxEntrySize: Math.ceil(options.maxBytes / 16),
      sizeCalculation: sizeOf,
    });
    this.entries = entries;
    this.requests = new RecentRequests(options.now ?? Date.now);
    const registers = [registry];
    const answers = new Counter({
      name: 'competition_read_answers_total',
      help: 'Answers 200 by source: kept (cached), changed (made again after the tables had changed), or new',
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
      help: 'Memory used by the cache of answers',
      registers,
      collect() {
        this.set(entries.calculatedSize);
      },
    });
  }

  /** The answer to a URL from a table set; `make` builds it, and rejects if there is none. */
  async of(url: string, tables: Tables, make: () => Promise<MadeAnswer>): Promise<SentAnswer> {
    if (url.length > maxUrlLength) return this.makeNew(make);
    const key = `${tables.set} ${url}`;
    const known = this.entries.get(key);
    if (known === undefined && !this.requests.has(key)) {
      const answer = await this.makeNew(make);
      this.requests.add(key);
      return answer;
    }
    const version = await this.versions.current(tables);
    if (known && 'answer' in known && known.version === version && this.isCurrent(known)) {
      this.outcomes.kept.inc();
      return known.answer;
    }
    const made = await this.makeOnce(`${key} ${version}`, make);
    this.outcomes.changed.inc();
    return this.keptIfRepeated(key, { ...made, version });
  }

  /** Caches an answer that was asked for before at this version, also by a concurrent request. */
  private keptIfRepeated(key: string, { answer: made, ...at }: CachedAnswer): SentAnswer {
    const earlier = this.entries.peek(key);
    if (earlier && !isRepeated(earlier, at)) {
      this.entries.set(key, at);
      return made;
    }
    if (earlier && 'answer' in earlier) return earlier.answer;
    // A copy that is not kept would only take the memory of its request.
    if (sizeOf({ ...at, answer: made }, key) > this.entries.maxEntrySize) return made;
    const answer = inOnePiece(made);
    this.entries.set(key, { ...at, answer });
    return answer;
  }

  private isCurrent({ second }: CachedAnswer): boolean {
    return second === null || second === secondOf((this.options.now ?? Date.now)());
  }

  private async makeNew(make: () => Promise<MadeAnswer>): Promise<SentAnswer> {
    const { answer } = await make();
    this.outcomes.new.inc();
    return answer;
  }

  /** Equal requests for the same version share one answer in flight. */
  private makeOnce(key: string, make: () => Promise<MadeAnswer>): Promise<MadeAnswer> {
    const known = this.inFlight.get(key);
    if (known) return known;
    const making = make().finally(() => this.inFlight.delete(key));
    this.inFlight.set(key, making);
    return making;
  }
}

/** Memory that an entry takes, in bytes. */
function sizeOf(entry: CachedAnswer | RequestedOnce, key: string): number {
  return entryBytes + key.length + ('answer' in entry ? Math.ceil(entry.answer.body.byteLength * (1 + gzipShare)) : 0);
}

function isRepeated(earlier: RequestedOnce, now: RequestedOnce): boolean {
  return earlier.version === now.version && earlier.second === now.second;
}

/** Copies the body into one buffer that no other answer shares. */
function inOnePiece(answer: SentAnswer): SentAnswer {
  const { body } = answer;
  return { ...answer, body: { pieces: [wholeBody(body)], byteLength: body.byteLength } };
}

import { FastRedis, RedisAwayError } from '@podium/runtime/redis';
import { Counter, Registry } from '@podium/runtime/metrics';
import { EventIdentity } from './event-identity';

/** Sets each missing mark, so that the first content under an id stays. One script, because each command has a cost. */
const markScript = `for i = 1, #KEYS do redis.call('SET', KEYS[i], ARGV[i + 1], 'NX', 'EX', ARGV[1]) end`;

/**
 * Marks of handled event ids in Redis, kept for `EVENT_MARK_LIFETIME_SECONDS` (one day by default): the first stage against
 * repeats. The durable second stage is engagement's inbox: a lost mark costs a second record in the topic, never a second effect.
 */
export class EventMarks {
  private readonly batches: Counter<'command' | 'mode'>;

  constructor(
    private readonly redis: FastRedis,
    /** `lifetimeS`: how long a mark is kept, from `EVENT_MARK_LIFETIME_SECONDS`. */
    private readonly options: { readonly lifetimeS: number },
    registry: Registry,
  ) {
    this.batches = new Counter({
      name: 'ingestion_dedup_batches_total',
      help: 'Batches by command (find, mark) and mode (marks: Redis answered; without: Redis is unavailable)',
      labelNames: ['command', 'mode'],
      registers: [registry],
    });
  }

  /** The content digest under each key, null where there is none; `undefined` while Redis is unavailable. */
  async find(identities: readonly EventIdentity[]): Promise<(string | null)[] | undefined> {
    return this.attempt('find', () => this.redis.run((redis) => redis.mget(identities.map(markKey))));
  }

  /** Marks events that Kafka has acknowledged; a failed mark changes nothing for the partner. */
  async mark(identities: readonly EventIdentity[]): Promise<void> {
    const keys = identities.map(markKey);
    const contents = identities.map(({ content }) => content);
    const { lifetimeS } = this.options;
    await this.attempt('mark', () =>
      this.redis.run((redis) => redis.eval(markScript, keys.length, ...keys, lifetimeS, ...contents)),
    );
  }

  private async attempt<T>(command: 'find' | 'mark', run: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await run();
      this.batches.inc({ command, mode: 'marks' });
      return result;
    } catch (error) {
      if (!(error instanceof RedisAwayError)) throw error;
      this.batches.inc({ command, mode: 'without' });
      return undefined;
    }
  }
}

/** Text instead of 16 bytes: the client writes each binary argument separately, which costs more than all of admission. */
function markKey({ recordId }: EventIdentity): string {
  return `event:${recordId}`;
}

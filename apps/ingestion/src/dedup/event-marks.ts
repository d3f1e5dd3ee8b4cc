import { FastRedis, RedisAwayError } from '@podium/runtime/redis';
import { Counter, Registry } from '@podium/runtime/metrics';
import { EventIdentity } from './event-identity';

/** Sets every mark that is not there yet: the first content under an id stays. One command, because each has its own price. */
const markScript = `for i = 1, #KEYS do redis.call('SET', KEYS[i], ARGV[i + 1], 'NX', 'EX', ARGV[1]) end`;

/**
 * Marks of handled events in Redis: the first stage against repeats. The durable second stage is the consumer's inbox, so
 * that losing marks costs a second record in the topic and never a second effect.
 */
export class EventMarks {
  private readonly batches: Counter<'command' | 'mode'>;

  constructor(
    private readonly redis: FastRedis,
    private readonly options: { lifetimeS: number },
    registry: Registry,
  ) {
    this.batches = new Counter({
      name: 'ingestion_dedup_batches_total',
      help: 'Batches by command (find, mark) and mode (marks: Redis did it; without: Redis is away)',
      labelNames: ['command', 'mode'],
      registers: [registry],
    });
  }

  /** The content digest under each key, null where there is none; `undefined` when Redis is away. */
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

/** Text and not the 16 bytes: the client writes each binary argument by itself, which costs more than all of admission. */
function markKey({ recordId }: EventIdentity): string {
  return `event:${recordId}`;
}

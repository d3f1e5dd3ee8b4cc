import { FastRedis, RedisAwayError } from '@podium/runtime/redis';
import { Counter, Registry } from '@podium/runtime/metrics';
import { EventIdentity } from './event-identity';
import { MarkGeneration } from './mark-generation';

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
    private readonly options: {
      /** How long a mark is kept, from `EVENT_MARK_LIFETIME_SECONDS`. */
      readonly lifetimeS: number;
      readonly generation: Pick<MarkGeneration, 'known' | 'inForce'>;
    },
    registry: Registry,
  ) {
    this.batches = new Counter({
      name: 'ingestion_dedup_batches_total',
      help: 'Batches by command (find, mark) and mode (marks: Redis answered; without: Redis is unavailable, or Postgres does not tell which marks count)',
      labelNames: ['command', 'mode'],
      registers: [registry],
    });
    // From the start, because alert rules miss the first increment of a series that begins with it.
    for (const command of ['find', 'mark'])
      for (const mode of ['marks', 'without']) this.batches.inc({ command, mode }, 0);
  }

  /**
   * The content digest under each key, null where there is none; `undefined` while Redis is unavailable. Marks that are found
   * count only in their generation. It is read from Postgres after them, so that none counts after operators have voided it.
   */
  async find(identities: readonly EventIdentity[]): Promise<(string | null)[] | undefined> {
    const { generation } = this.options;
    let asked = generation.known() ?? (await generation.inForce());
    while (asked !== undefined) {
      const keys = keysOf(identities, asked);
      const contents = await this.attempt('find', () => this.redis.run((redis) => redis.mget(keys)));
      if (contents === undefined || contents.every((content) => content === null)) return contents;
      const inForce = await generation.inForce();
      if (inForce === asked) return contents;
      asked = inForce;
    }
    this.batches.inc({ command: 'find', mode: 'without' });
    return undefined;
  }

  /** Marks events that Kafka has acknowledged; a failed mark changes nothing for the partner. */
  async mark(identities: readonly EventIdentity[]): Promise<void> {
    const { lifetimeS, generation } = this.options;
    const known = generation.known();
    if (known === undefined) return this.batches.inc({ command: 'mark', mode: 'without' });
    const keys = keysOf(identities, known);
    const contents = identities.map(({ content }) => content);
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
function keysOf(identities: readonly EventIdentity[], generation: string): string[] {
  const prefix = generation === '' ? 'event:' : `event:${generation}:`;
  return identities.map(({ recordId }) => prefix + recordId);
}

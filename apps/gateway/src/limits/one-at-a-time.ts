import { FastRedis } from '@podium/runtime/redis';
import { releaseScript } from './limiter-scripts';
import { runScript } from './run-script';

/** Ends the turn of a caller. */
export type EndTurn = () => void;

/**
 * Lets each caller have one request under way over all instances: a key in Redis that expires when its instance dies. While
 * Redis is unavailable, one per instance.
 */
export class OneAtATime {
  private readonly busy = new Set<string>();
  private turns = 0;

  constructor(
    private readonly redis: FastRedis,
    private readonly options: {
      /** Distinguishes the turns of instances. */
      readonly instance: string;
      /** Prefix of the callers' keys in Redis. */
      readonly namespace: string;
      /** Longer than any request takes, ms. */
      readonly longestMs: number;
    },
  ) {}

  /** Takes the caller's turn; undefined while another request of the caller has it. Never rejects. */
  async take(caller: string): Promise<EndTurn | undefined> {
    if (this.busy.has(caller)) return undefined;
    this.busy.add(caller);
    const { instance, namespace, longestMs } = this.options;
    const key = `${namespace}:${caller}`;
    const turn = `${instance}:${(this.turns += 1)}`;
    try {
      const taken = await this.redis.run((redis) => redis.set(key, turn, 'PX', longestMs, 'NX'));
      if (taken === null) {
        this.busy.delete(caller);
        return undefined;
      }
    } catch {
      // Redis is unavailable: this instance alone decides. FastRedis has counted and logged the error.
    }
    return () => {
      this.busy.delete(caller);
      // A turn that cannot be given back expires.
      void this.redis.run((redis) => runScript(redis, releaseScript, [key], [turn])).catch(() => undefined);
    };
  }
}

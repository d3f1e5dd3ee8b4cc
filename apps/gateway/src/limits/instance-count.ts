import { FastRedis } from '@podium/runtime/redis';
import { heartbeatScript } from './limiter-scripts';
import { runScript } from './run-script';

const heartbeatMs = 1_000;
const windowMs = 10_000;

/**
 * How many gateway instances share the rates: each beats in a sorted set of Redis. Readings are kept while Redis is
 * away, so that the share is that of the 10 s before it went, however long it stays away (V4).
 */
export class InstanceCount {
  private readings: number[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly redis: FastRedis,
    private readonly options: { instance: string; minInstances: number; key?: string },
  ) {}

  async start(): Promise<void> {
    await this.beat();
    this.timer = setInterval(() => void this.beat(), heartbeatMs);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
  }

  /** The most instances heard of lately, and never fewer than configured. */
  instances(): number {
    return Math.max(this.options.minInstances, ...this.readings);
  }

  private async beat(): Promise<void> {
    const key = this.options.key ?? 'gateway:instances';
    try {
      const heard = await this.redis.run((redis) =>
        runScript(redis, heartbeatScript, [key], [this.options.instance, windowMs]),
      );
      this.readings = [...this.readings, Number(heard)].slice(-windowMs / heartbeatMs);
    } catch {
      // Redis is away: the readings from before stay, FastRedis has counted and logged it.
    }
  }
}

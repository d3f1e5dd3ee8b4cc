import { FastRedis } from '@podium/runtime/redis';
import { heartbeatScript } from './limiter-scripts';
import { runScript } from './run-script';

const heartbeatMs = 1_000;
const windowMs = 10_000;

/**
 * Counts the gateway instances that share the rates: each sends heartbeats to a sorted set in Redis. The last counts are
 * retained while Redis is unavailable, so that the share is that of the 10 s before the outage, however long it lasts (invariant V4).
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

  /** The most instances seen in the window, and never fewer than configured. */
  instances(): number {
    return Math.max(this.options.minInstances, ...this.readings);
  }

  private async beat(): Promise<void> {
    const key = this.options.key ?? 'gateway:instances';
    try {
      const count = await this.redis.run((redis) =>
        runScript(redis, heartbeatScript, [key], [this.options.instance, windowMs]),
      );
      this.readings = [...this.readings, Number(count)].slice(-windowMs / heartbeatMs);
    } catch {
      // Redis is unavailable: earlier counts stay. FastRedis has counted and logged the error.
    }
  }
}

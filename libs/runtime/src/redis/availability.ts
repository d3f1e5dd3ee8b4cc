import { Redis } from 'ioredis';

/** Pause between two pings while commands fail, milliseconds. */
const pingMs = 1_000;

/** Outcomes of commands, as the breaker reports them. */
interface Outcomes {
  on(outcome: 'success' | 'failure', seen: () => void): unknown;
}

/**
 * Whether Redis answers. After a command that failed, pings find out when it answers again: without them the last command
 * would decide for as long as no other one follows.
 */
export class Availability {
  private pings: NodeJS.Timeout | undefined;

  constructor(
    private readonly redis: Redis,
    outcomes: Outcomes,
    private readonly ping: () => Promise<unknown>,
  ) {
    outcomes.on('failure', () => this.beginPings());
    outcomes.on('success', () => this.endPings());
  }

  /** True without a connection, and from a command that failed until a command or ping succeeds. */
  isAway(): boolean {
    return this.pings !== undefined || this.redis.status !== 'ready';
  }

  endPings(): void {
    clearInterval(this.pings);
    this.pings = undefined;
  }

  private beginPings(): void {
    this.pings ??= setInterval(() => void this.ping().catch(() => undefined), pingMs).unref();
  }
}

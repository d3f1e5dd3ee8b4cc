import { FastRedis } from '@podium/runtime/redis';
import { Admission, CellRate, eventRate } from './gcra';
import { admitScript } from './limiter-scripts';
import { LocalShare } from './local-share';
import { runScript } from './run-script';

/** What the rate said to one request. */
export interface Allowance {
  readonly allowed: boolean;
  /** Requests that would still be let through now. */
  readonly remaining: number;
  /** Whole seconds until the whole burst is free again. */
  readonly resetS: number;
  /** Whole seconds after which a refused request makes sense, at least 1. */
  readonly retryAfterS: number;
}

type Decision = Omit<Admission, 'arrivalUs'>;

// Two calls under way keep Redis busy while the next one gathers; more would only make the batches smaller.
const maxCallsUnderWay = 2;
const maxPlatformsPerCall = 500;

/**
 * The rate of each platform over all instances: requests of one tick ask Redis together, in one script call with
 * counts per platform. While Redis is away each instance gives its own share (V4).
 */
export class PlatformLimiter {
  private waiting = new Map<string, ((allowance: Allowance) => void)[]>();
  private callsUnderWay = 0;
  private scheduled = false;
  private local = false;

  constructor(
    private readonly redis: FastRedis,
    private readonly share: LocalShare,
    private readonly rate: CellRate = eventRate,
  ) {}

  /** Asks for one request of a platform; always answers, within Redis' command timeout. */
  take(platform: string): Promise<Allowance> {
    return new Promise((resolve) => {
      const others = this.waiting.get(platform);
      if (others) others.push(resolve);
      else this.waiting.set(platform, [resolve]);
      this.schedule();
    });
  }

  /** Whether the last decision was this instance's own, because Redis is away. */
  isLocal(): boolean {
    return this.local;
  }

  private schedule(): void {
    if (this.scheduled || this.callsUnderWay >= maxCallsUnderWay || this.waiting.size === 0) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      void this.call();
      this.schedule();
    });
  }

  private async call(): Promise<void> {
    const asking = this.nextCall();
    const platforms = [...asking.keys()];
    const counts = Array.from(asking.values(), (waiters) => waiters.length);
    this.callsUnderWay += 1;
    const decisions = await this.decide(platforms, counts);
    this.callsUnderWay -= 1;
    let at = 0;
    for (const waiters of asking.values()) tell(waiters, decisions[at++]);
    this.schedule();
  }

  private nextCall(): Map<string, ((allowance: Allowance) => void)[]> {
    const all = this.waiting;
    if (all.size <= maxPlatformsPerCall) {
      this.waiting = new Map();
      return all;
    }
    const entries = [...all];
    this.waiting = new Map(entries.slice(maxPlatformsPerCall));
    return new Map(entries.slice(0, maxPlatformsPerCall));
  }

  private async decide(platforms: string[], counts: number[]): Promise<Decision[]> {
    try {
      const keys = platforms.map((platform) => `gateway:rate:${platform}`);
      const reply = await this.redis.run((redis) =>
        runScript(redis, admitScript, keys, [this.rate.intervalUs, this.rate.burst, ...counts]),
      );
      this.local = false;
      return decisionsOf(reply as number[]);
    } catch {
      this.local = true;
      return platforms.map((platform, at) => this.share.take(platform, counts[at]));
    }
  }
}

function decisionsOf(reply: number[]): Decision[] {
  const decisions: Decision[] = [];
  for (let at = 0; at < reply.length; at += 4)
    decisions.push({
      admitted: reply[at],
      remaining: reply[at + 1],
      resetUs: reply[at + 2],
      retryUs: reply[at + 3],
    });
  return decisions;
}

function tell(waiters: ((allowance: Allowance) => void)[], decision: Decision): void {
  const resetS = Math.ceil(decision.resetUs / 1e6);
  const retryAfterS = Math.max(1, Math.ceil(decision.retryUs / 1e6));
  waiters.forEach((resolve, at) => {
    const allowed = at < decision.admitted;
    const remaining = allowed ? decision.remaining + decision.admitted - 1 - at : 0;
    resolve({ allowed, remaining, resetS, retryAfterS });
  });
}

import { FastRedis } from '@podium/runtime/redis';
import { Admission, CellRate } from './gcra';
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
const maxCallersPerCall = 500;

/** Requests of one caller that wait for one decision. */
interface Asking {
  readonly rate: CellRate;
  readonly waiters: ((allowance: Allowance) => void)[];
}

/**
 * The rate of each caller over all instances: requests of one tick ask Redis together, in one script call with rates
 * and counts per caller. While Redis is away each instance gives its own share (V4).
 */
export class RateLimiter {
  private waiting = new Map<string, Asking>();
  private callsUnderWay = 0;
  private scheduled = false;
  private local = false;

  constructor(
    private readonly redis: FastRedis,
    private readonly share: LocalShare,
    /** What the callers' names in Redis begin with. */
    private readonly namespace: string,
  ) {}

  /** Asks for one request of a caller, who has one rate at a time; always answers, within Redis' command timeout. */
  take(caller: string, rate: CellRate): Promise<Allowance> {
    return new Promise((resolve) => {
      const others = this.waiting.get(caller);
      if (others) others.waiters.push(resolve);
      else this.waiting.set(caller, { rate, waiters: [resolve] });
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
    this.callsUnderWay += 1;
    const decisions = await this.decide(asking);
    this.callsUnderWay -= 1;
    let at = 0;
    for (const { waiters } of asking.values()) tell(waiters, decisions[at++]);
    this.schedule();
  }

  private nextCall(): Map<string, Asking> {
    const all = this.waiting;
    if (all.size <= maxCallersPerCall) {
      this.waiting = new Map();
      return all;
    }
    const entries = [...all];
    this.waiting = new Map(entries.slice(maxCallersPerCall));
    return new Map(entries.slice(0, maxCallersPerCall));
  }

  private async decide(asking: ReadonlyMap<string, Asking>): Promise<Decision[]> {
    try {
      const keys: string[] = [];
      const args: number[] = [];
      for (const [caller, { rate, waiters }] of asking) {
        keys.push(`${this.namespace}:${caller}`);
        args.push(rate.intervalUs, rate.burst, waiters.length);
      }
      const reply = await this.redis.run((redis) => runScript(redis, admitScript, keys, args));
      this.local = false;
      return decisionsOf(reply as number[]);
    } catch {
      this.local = true;
      return Array.from(asking, ([caller, { rate, waiters }]) => this.share.take(caller, rate, waiters.length));
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

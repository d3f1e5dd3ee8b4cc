import { FastRedis } from '@podium/runtime/redis';
import { Admission, CellRate } from './gcra';
import { admitScript } from './limiter-scripts';
import { LocalShare } from './local-share';
import { runScript } from './run-script';

/** The rate limiter's decision on one request. */
export interface Allowance {
  readonly allowed: boolean;
  /** Requests that would still be admitted now. */
  readonly remaining: number;
  /** Whole seconds until the whole burst is available again. */
  readonly resetS: number;
  /** Whole seconds after which to retry a refused request, at least 1. */
  readonly retryAfterS: number;
}

/** The rate limiter's decision on several requests at once. */
export interface PartialAllowance extends Omit<Allowance, 'allowed'> {
  /** How many of them are admitted. */
  readonly admitted: number;
}

type Decision = Omit<Admission, 'arrivalUs'>;

// Redis answers within a fraction of a millisecond: a second call in flight would only make the calls smaller.
const maxCallsInFlight = 1;
const maxCallersPerCall = 500;

/** How long an own decision tells that decisions are local, although Redis answers: its memory may be full. */
const localForMs = 10_000;

/** Requests of one caller that wait for one decision, in the order in which they were asked. */
interface WaitingRequests {
  readonly rate: CellRate;
  asked: number;
  readonly waiters: Waiter[];
}

/** Requests that were asked together. */
interface Waiter {
  readonly asked: number;
  readonly decided: (admitted: number, remaining: number, resetS: number, retryAfterS: number) => void;
}

/**
 * Limits the rate of each caller over all instances: the requests of one tick share one script call to Redis, with rates
 * and counts per caller. While Redis is unavailable, each instance grants its own share (invariant V4).
 */
export class RateLimiter {
  private waiting = new Map<string, WaitingRequests>();
  private callsInFlight = 0;
  private scheduled = false;
  /** When this instance last decided itself; undefined once Redis has decided again. */
  private localAtMs: number | undefined;

  constructor(
    private readonly redis: FastRedis,
    private readonly share: LocalShare,
    /** Prefix of the callers' keys in Redis. */
    private readonly namespace: string,
  ) {}

  /** Decides on one request of a caller, who has one rate at a time; always resolves, within Redis' command timeout. */
  take(caller: string, rate: CellRate): Promise<Allowance> {
    return new Promise((resolve) => {
      const decided: Waiter['decided'] = (admitted, remaining, resetS, retryAfterS) =>
        resolve({ allowed: admitted === 1, remaining, resetS, retryAfterS });
      this.ask(caller, rate, { asked: 1, decided });
    });
  }

  /** Decides on several requests of a caller in one call; those above the rate are refused, the others admitted. */
  takeSome(caller: string, rate: CellRate, asked: number): Promise<PartialAllowance> {
    return new Promise((resolve) => {
      const decided: Waiter['decided'] = (admitted, remaining, resetS, retryAfterS) =>
        resolve({ admitted, remaining, resetS, retryAfterS });
      this.ask(caller, rate, { asked, decided });
    });
  }

  /**
   * Whether decisions are this instance's own now, because Redis is unavailable. A decision tells for a while only, because the
   * next one of rare callers may be days away.
   */
  isLocal(): boolean {
    return this.redis.isAway() || performance.now() - (this.localAtMs ?? -Infinity) < localForMs;
  }

  private ask(caller: string, rate: CellRate, waiter: Waiter): void {
    const waiting = this.waiting.get(caller);
    if (waiting === undefined) this.waiting.set(caller, { rate, asked: waiter.asked, waiters: [waiter] });
    else {
      waiting.asked += waiter.asked;
      waiting.waiters.push(waiter);
    }
    this.schedule();
  }

  private schedule(): void {
    if (this.scheduled || this.callsInFlight >= maxCallsInFlight || this.waiting.size === 0) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      void this.call();
      this.schedule();
    });
  }

  private async call(): Promise<void> {
    const requests = this.nextCall();
    this.callsInFlight += 1;
    const decisions = await this.decide(requests);
    this.callsInFlight -= 1;
    let at = 0;
    for (const { waiters } of requests.values()) tell(waiters, decisions[at++]);
    this.schedule();
  }

  private nextCall(): Map<string, WaitingRequests> {
    const all = this.waiting;
    if (all.size <= maxCallersPerCall) {
      this.waiting = new Map();
      return all;
    }
    const entries = [...all];
    this.waiting = new Map(entries.slice(maxCallersPerCall));
    return new Map(entries.slice(0, maxCallersPerCall));
  }

  private async decide(requests: ReadonlyMap<string, WaitingRequests>): Promise<Decision[]> {
    try {
      const keys: string[] = [];
      const args: number[] = [];
      for (const [caller, { rate, asked }] of requests) {
        keys.push(`${this.namespace}:${caller}`);
        args.push(rate.intervalUs, rate.burst, asked);
      }
      const reply = await this.redis.run((redis) => runScript(redis, admitScript, keys, args));
      this.localAtMs = undefined;
      return decisionsOf(reply as number[]);
    } catch {
      this.localAtMs = performance.now();
      return Array.from(requests, ([caller, { rate, asked }]) => this.share.take(caller, rate, asked));
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

function tell(waiters: readonly Waiter[], decision: Decision): void {
  const resetS = Math.ceil(decision.resetUs / 1e6);
  const retryAfterS = Math.max(1, Math.ceil(decision.retryUs / 1e6));
  let left = decision.admitted;
  for (const { asked, decided } of waiters) {
    const admitted = Math.min(asked, left);
    left -= admitted;
    decided(admitted, admitted === asked ? decision.remaining + left : 0, resetS, retryAfterS);
  }
}

import { Gauge, Registry } from '@podium/runtime/metrics';

/** Waits on one partner. */
interface Waits {
  /** Start of each current wait, oldest first. */
  readonly since: { readonly ms: number }[];
  /** Whether the last ended wait took long. */
  tookLong: boolean;
}

/** Most concurrent waits on all partners together. The gateway has connections for twice as many callbacks. */
export const waitsMax = 256;
/** Most concurrent waits on all slow partners together, in equal shares: the capacity that hanging partners can use. */
const slowWaitsMax = 128;
/** A partner is slow while a user waits longer than this, and until a response comes sooner. */
const slowAfterMs = 1000;

/**
 * Limits how many users wait for partners at once. Each waiting user holds a connection of the gateway, so all slow partners
 * share a part of the capacity, and the rest is left to those that respond, however many hang. Each slow partner has an equal
 * share of that part, so one that responds late is not refused because of others that never do.
 */
export class PartnerWaits {
  private readonly partners = new Map<string, Waits>();
  private total = 0;

  constructor(
    registry: Registry,
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    const slowWaits = (): number => this.slowWaits();
    new Gauge({
      name: 'linkage_slow_partner_waits',
      help: `Users who wait for slow partners, at most ${slowWaitsMax}; more are refused at once`,
      registers: [registry],
      collect() {
        this.set(slowWaits());
      },
    });
  }

  /** Begins a wait; call the returned function when it ends. Null when the limit is reached. */
  enter(platform: string): (() => void) | null {
    const waits = this.partners.get(platform) ?? { since: [], tookLong: false };
    if (this.total >= waitsMax || (this.isSlow(waits) && !this.hasSlowCapacity(waits))) return null;
    const wait = { ms: this.nowMs() };
    waits.since.push(wait);
    this.partners.set(platform, waits);
    this.total++;
    return () => this.leave(platform, waits, wait);
  }

  /** Waits on partners that are slow now. */
  slowWaits(): number {
    return this.slowOnes().reduce((sum, { since }) => sum + since.length, 0);
  }

  private hasSlowCapacity(waits: Waits): boolean {
    const others = this.slowOnes().filter((each) => each !== waits && each.since.length > 0);
    return waits.since.length < slowWaitsMax / (others.length + 1) && this.slowWaits() < slowWaitsMax;
  }

  private slowOnes(): Waits[] {
    return [...this.partners.values()].filter((waits) => this.isSlow(waits));
  }

  private leave(platform: string, waits: Waits, wait: Waits['since'][number]): void {
    const at = waits.since.indexOf(wait);
    if (at < 0) return;
    waits.since.splice(at, 1);
    waits.tookLong = this.nowMs() - wait.ms > slowAfterMs;
    if (waits.since.length === 0 && !waits.tookLong) this.partners.delete(platform);
    this.total--;
  }

  private isSlow({ since, tookLong }: Waits): boolean {
    return tookLong || (since.length > 0 && this.nowMs() - since[0].ms > slowAfterMs);
  }
}

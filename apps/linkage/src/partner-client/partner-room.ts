import { Gauge, Registry } from '@podium/runtime/metrics';

/** Waits on one partner. */
interface Waits {
  /** When each of those under way began, oldest first. */
  readonly since: { readonly ms: number }[];
  /** Whether the last that ended took long. */
  tookLong: boolean;
}

/** Most waits on all partners together. The gateway has connections for twice as many callbacks. */
export const waitsMax = 256;
/** Most waits on partners that are slow, together, in equal parts: what partners that hang can take of an instance. */
const slowWaitsMax = 128;
/** A partner is slow while somebody waits longer for it, and until an answer comes sooner. */
const slowAfterMs = 1000;

/**
 * Room for people who wait until a partner has answered. Whoever waits holds a connection of the gateway, so that all
 * partners that are slow share a part of the room, and however many hang, the rest is left to those that answer. Each slow
 * one has as much of that part as the others: one that answers late is not refused because of others that never do.
 */
export class PartnerRoom {
  private readonly partners = new Map<string, Waits>();
  private total = 0;

  constructor(
    registry: Registry,
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    const slowWaits = (): number => this.slowWaits();
    new Gauge({
      name: 'linkage_slow_partner_waits',
      help: `People who wait for partners that are slow, at most ${slowWaitsMax}; beyond that they are told at once`,
      registers: [registry],
      collect() {
        this.set(slowWaits());
      },
    });
  }

  /** Takes room for one more wait; call what it returns when the wait is over. Null when there is none. */
  enter(platform: string): (() => void) | null {
    const waits = this.partners.get(platform) ?? { since: [], tookLong: false };
    if (this.total >= waitsMax || (this.isSlow(waits) && !this.hasSlowRoom(waits))) return null;
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

  private hasSlowRoom(waits: Waits): boolean {
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

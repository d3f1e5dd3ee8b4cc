import CircuitBreaker from 'opossum';
import type { Logger } from '@podium/runtime/log';
import { RawResponse } from '@podium/partner-check/protocol/partner-answers';
import { PartnerResult, failure } from '@podium/partner-check/protocol/partner-result';
import { RequestSlots } from './request-slots';

/** Sends a request that has to end within the time, milliseconds. */
export type SendWithin = (timeoutMs: number) => Promise<PartnerResult<RawResponse>>;

interface Partner {
  readonly breaker: CircuitBreaker<[SendWithin, number], PartnerResult<RawResponse>>;
  readonly slots: RequestSlots;
}

/** The part of its time that a request may wait for its turn, so that the partner has the most of it. */
const waitShare = 0.25;

/** Whether requests to a partner are sent: `open` refuses them, `half_open` sends one to try. */
export const breakerStates = ['closed', 'half_open', 'open'] as const;

/** One of these states. */
export type BreakerState = (typeof breakerStates)[number];

/**
 * A circuit breaker and a concurrency limit for each partner. A request beyond the limit says nothing about the partner, so it
 * does not count for the breaker.
 */
export class PartnerBreakers {
  private readonly partners = new Map<string, Partner>();

  constructor(private readonly logger: Logger) {}

  /**
   * The result of a request, which gets what is left of `timeoutMs` after it has waited for its turn. A failure with `notSent`
   * while the breaker is open or too many requests are in progress.
   */
  async send(platform: string, timeoutMs: number, request: SendWithin): Promise<PartnerResult<RawResponse>> {
    const { breaker, slots } = this.partnerOf(platform);
    if (breaker.opened) return notSent(breakerIsOpen);
    const startedMs = performance.now();
    if (!(await slots.enter(timeoutMs * waitShare))) return notSent('too many requests to the partner are in progress');
    try {
      const leftMs = Math.floor(timeoutMs - (performance.now() - startedMs));
      // The process was paused; that says nothing about the partner.
      if (leftMs <= 0) return notSent('no time is left for a request to the partner');
      return await breaker.fire(request, leftMs);
    } catch (error) {
      return error instanceof UnavailableAnswer ? error.result : notSent(breakerIsOpen);
    } finally {
      slots.leave();
    }
  }

  /** Breakers of this instance that are not closed, by platform. */
  notClosed(): ReadonlyMap<string, Exclude<BreakerState, 'closed'>> {
    const states = new Map<string, 'open' | 'half_open'>();
    for (const [platform, { breaker }] of this.partners)
      if (breaker.opened || breaker.halfOpen) states.set(platform, breaker.halfOpen ? 'half_open' : 'open');
    return states;
  }

  stop(): void {
    for (const { breaker } of this.partners.values()) breaker.shutdown();
  }

  private partnerOf(platform: string): Partner {
    const known = this.partners.get(platform);
    if (known) return known;
    const breaker: Partner['breaker'] = new CircuitBreaker((request, timeoutMs) => this.attempt(request, timeoutMs), {
      name: platform,
      timeout: false,
      volumeThreshold: 10,
      errorThresholdPercentage: 60,
      rollingCountTimeout: 10_000,
      resetTimeout: 5000,
    });
    breaker.on('open', () =>
      this.logger.warn({ platform }, 'the partner does not respond; opening its circuit breaker'),
    );
    breaker.on('close', () => this.logger.info({ platform }, 'the partner responds again'));
    const partner = { breaker, slots: new RequestSlots() };
    this.partners.set(platform, partner);
    return partner;
  }

  /** Only signs that the partner is down open its breaker; a refusal of one user's code does not. */
  private async attempt(request: SendWithin, timeoutMs: number): Promise<PartnerResult<RawResponse>> {
    const result = await request(timeoutMs);
    const down = result.ok ? result.value.status >= 500 : result.kind === 'unavailable';
    if (down) throw new UnavailableAnswer(result);
    return result;
  }
}

class UnavailableAnswer extends Error {
  constructor(readonly result: PartnerResult<RawResponse>) {
    super('the partner is unavailable');
  }
}

const breakerIsOpen = 'the circuit breaker of the partner is open';

function notSent(reason: string): PartnerResult<never> {
  return failure('unavailable', reason, { notSent: true });
}

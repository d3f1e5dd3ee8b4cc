import CircuitBreaker from 'opossum';
import type { Logger } from '@podium/runtime/log';
import { RawResponse } from '@podium/partner-check/protocol/partner-answers';
import { PartnerRequest, connectionsMax } from './partner-http';
import { PartnerResult, failure } from '@podium/partner-check/protocol/partner-result';

type Breaker = CircuitBreaker<[PartnerRequest], PartnerResult<RawResponse>>;

/** Whether requests to a partner are sent: `open` refuses them, `half_open` sends one to try. */
export const breakerStates = ['closed', 'half_open', 'open'] as const;

/** One of these states. */
export type BreakerState = (typeof breakerStates)[number];

/** A circuit breaker and a concurrency limit for each partner. */
export class PartnerBreakers {
  private readonly breakers = new Map<string, Breaker>();

  constructor(
    private readonly request: (request: PartnerRequest) => Promise<PartnerResult<RawResponse>>,
    private readonly logger: Logger,
  ) {}

  /** The result of the request, or a failure with `notSent` while the breaker is open or the limit is reached. */
  async send(request: PartnerRequest): Promise<PartnerResult<RawResponse>> {
    try {
      return await this.breakerOf(request.platform).fire(request);
    } catch (error) {
      if (error instanceof UnavailableAnswer) return error.result;
      const isBusy = (error as { code?: unknown }).code === 'ESEMLOCKED';
      const reason = isBusy
        ? 'too many requests to the partner are in progress'
        : 'the circuit breaker of the partner is open';
      return failure('unavailable', reason, { notSent: true });
    }
  }

  /** Breakers of this instance that are not closed, by platform. */
  notClosed(): ReadonlyMap<string, Exclude<BreakerState, 'closed'>> {
    const states = new Map<string, 'open' | 'half_open'>();
    for (const [platform, breaker] of this.breakers)
      if (breaker.opened || breaker.halfOpen) states.set(platform, breaker.halfOpen ? 'half_open' : 'open');
    return states;
  }

  stop(): void {
    for (const breaker of this.breakers.values()) breaker.shutdown();
  }

  private breakerOf(platform: string): Breaker {
    const known = this.breakers.get(platform);
    if (known) return known;
    const breaker: Breaker = new CircuitBreaker((request: PartnerRequest) => this.attempt(request), {
      name: platform,
      timeout: false,
      // A further request would have to wait for a connection.
      capacity: connectionsMax,
      volumeThreshold: 10,
      errorThresholdPercentage: 60,
      rollingCountTimeout: 10_000,
      resetTimeout: 5000,
    });
    breaker.on('open', () =>
      this.logger.warn({ platform }, 'the partner does not respond; opening its circuit breaker'),
    );
    breaker.on('close', () => this.logger.info({ platform }, 'the partner responds again'));
    this.breakers.set(platform, breaker);
    return breaker;
  }

  /** Only signs that the partner is down open its breaker; a refusal of one user's code does not. */
  private async attempt(request: PartnerRequest): Promise<PartnerResult<RawResponse>> {
    const result = await this.request(request);
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

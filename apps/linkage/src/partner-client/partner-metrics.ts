import type { PartnerFailure } from '@podium/partner-check/protocol/partner-result';
import { BoundedLabel, Counter, Histogram, Registry } from '@podium/runtime/metrics';
import { PartnerOperationName } from './exchange-record';

/** How a request to a partner ended. */
type PartnerOutcome = 'ok' | PartnerFailure['kind'];

const outcomes: readonly PartnerOutcome[] = ['ok', 'rejected', 'unavailable', 'malformed', 'address_refused'];

/** Requests to partners by outcome, and their times. */
export class PartnerMetrics {
  private readonly requests: Counter<'platform' | 'operation' | 'outcome'>;
  private readonly seconds: Histogram<'platform' | 'operation'>;
  private readonly platforms = new BoundedLabel();

  constructor(registry: Registry) {
    this.requests = new Counter({
      name: 'linkage_partner_requests_total',
      help: 'Requests to partners by outcome',
      labelNames: ['platform', 'operation', 'outcome'],
      registers: [registry],
    });
    this.seconds = new Histogram({
      name: 'linkage_partner_request_seconds',
      help: 'Time of a request to a partner',
      labelNames: ['platform', 'operation'],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers: [registry],
    });
  }

  /**
   * Call before a request. Creates the series of all its outcomes: of one that begins with an increment, alert rules miss that. They
   * still miss what the very first requests of an instance to a partner do before the next scrape.
   */
  began(platform: string, operation: PartnerOperationName): void {
    for (const outcome of outcomes) this.requests.inc({ platform: this.platforms.of(platform), operation, outcome }, 0);
  }

  /** Call when the partner has answered, or has not in time. */
  answered(platform: string, operation: PartnerOperationName, durationMs: number): void {
    this.seconds.observe({ platform: this.platforms.of(platform), operation }, durationMs / 1000);
  }

  /** Call once for each request that began. */
  ended(platform: string, operation: PartnerOperationName, outcome: PartnerOutcome): void {
    this.requests.inc({ platform: this.platforms.of(platform), operation, outcome });
  }
}

import { PartnerExchange, RecordExchange } from '../partner-client/exchange-record';
import { FlowStep, durationBoundsMs, durationRange } from './flow-steps';

/** What a count is of: a step of a linking flow, a request to a partner, or a client secret, by its name, that a partner accepted. */
export type CountKind = 'step' | 'request' | 'secret';

/** How often something ended in one way within an hour. */
export interface PartnerCount {
  readonly integrationId: string;
  /** Begin of the hour, ISO 8601. */
  readonly hour: string;
  readonly kind: CountKind;
  readonly name: string;
  /** `ok`, or why it failed. */
  readonly outcome: string;
  /** Further words on a failure; empty without. */
  readonly detail: string;
  count: number;
  /** Per range of `durationBoundsMs`. */
  readonly durations: number[];
  lastAt: Date;
}

/** Whose data an exchange was about, so that it is deleted with the user: a digest of the user, or a link. */
export type ExchangeSubject = { readonly userDigest: string } | { readonly linkId: string };

/** An exchange to be stored. */
export interface RecordedExchange {
  readonly integrationId: string;
  readonly subject: ExchangeSubject;
  readonly exchange: PartnerExchange;
}

/** What was recorded since it was taken last. */
export interface TakenActivity {
  readonly counts: readonly PartnerCount[];
  readonly exchanges: readonly RecordedExchange[];
}

/** Stored exchanges of an integration that succeeded, and as many that failed: the newest. */
export const exchangesKept = 100;
/** Most counts in memory; further ones are dropped while the database is away. */
const countsMax = 20_000;
/** Most exchanges of all integrations in memory. */
const exchangesMax = 5_000;

/**
 * Collects in memory what happens between this service and partners; a background task stores it, so that no user waits for
 * it. A crash loses what was not stored yet, about a second.
 */
export class PartnerActivity {
  private counts = new Map<string, PartnerCount>();
  private exchanges: RecordedExchange[] = [];

  constructor(private readonly now: () => Date = () => new Date()) {}

  /** Counts a flow that passed a step; `ms` is the time that it took, null for the first. */
  passed(integrationId: string, step: FlowStep, ms: number | null): void {
    this.count({ integrationId, kind: 'step', name: step, outcome: 'ok', detail: '' }, ms);
  }

  /** Counts a flow that did not pass a step, with its reason and the partner's standard error code. */
  failed(integrationId: string, step: FlowStep, reason: string, partnerCode: string | undefined): void {
    this.count({ integrationId, kind: 'step', name: step, outcome: reason, detail: partnerCode ?? '' }, null);
  }

  /** Takes the exchanges of one user or link with a partner. */
  recorder(integrationId: string, subject: ExchangeSubject): RecordExchange {
    return (exchange) => this.record({ integrationId, subject, exchange });
  }

  /** Takes what was recorded; give it back if it could not be stored. */
  take(): TakenActivity {
    const taken = { counts: [...this.counts.values()], exchanges: newest(this.exchanges) };
    this.counts = new Map();
    this.exchanges = [];
    return taken;
  }

  /** Puts back what could not be stored. */
  giveBack({ counts, exchanges }: TakenActivity): void {
    for (const count of counts) this.add(count);
    this.exchanges = newest([...exchanges, ...this.exchanges]);
  }

  private record(recorded: RecordedExchange): void {
    const { integrationId, exchange } = recorded;
    const { operation, outcome, reason, partnerCode, secretName, durationMs } = exchange;
    const detail = outcome === 'ok' ? '' : (partnerCode ?? reason ?? '');
    this.count({ integrationId, kind: 'request', name: operation, outcome, detail }, durationMs);
    if (outcome === 'ok' && secretName !== null)
      this.count({ integrationId, kind: 'secret', name: secretName, outcome, detail: '' }, null);
    if (!exchange.sent) return;
    this.exchanges.push(recorded);
    if (this.exchanges.length > exchangesMax) this.exchanges = newest(this.exchanges);
  }

  private count(
    key: Pick<PartnerCount, 'integrationId' | 'kind' | 'name' | 'outcome' | 'detail'>,
    ms: number | null,
  ): void {
    const lastAt = this.now();
    const durations = new Array<number>(durationBoundsMs.length + 1).fill(0);
    if (ms !== null) durations[durationRange(ms)] = 1;
    const hour = new Date(lastAt.getTime() - (lastAt.getTime() % hourMs)).toISOString();
    this.add({ ...key, hour, count: 1, durations, lastAt });
  }

  private add(added: PartnerCount): void {
    const { integrationId, hour, kind, name, outcome, detail } = added;
    const key = JSON.stringify([integrationId, hour, kind, name, outcome, detail]);
    const known = this.counts.get(key);
    if (!known) {
      if (this.counts.size < countsMax) this.counts.set(key, added);
      return;
    }
    known.count += added.count;
    for (const [range, count] of added.durations.entries()) known.durations[range] += count;
    if (added.lastAt > known.lastAt) known.lastAt = added.lastAt;
  }
}

const hourMs = 3_600_000;

/** The newest exchanges of each integration that would be kept, at most `exchangesMax` in all, oldest first. */
function newest(exchanges: readonly RecordedExchange[]): RecordedExchange[] {
  const seen = new Map<string, number>();
  const kept: RecordedExchange[] = [];
  for (const recorded of [...exchanges].reverse()) {
    const key = `${recorded.integrationId} ${recorded.exchange.outcome === 'ok'}`;
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    if (count <= exchangesKept && kept.length < exchangesMax / 2) kept.push(recorded);
  }
  return kept.reverse();
}

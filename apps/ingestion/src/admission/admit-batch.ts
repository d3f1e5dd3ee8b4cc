import { BatchedEvent, errorCatalogue } from '@podium/messages';
import { duplicateOfLeader } from '../dedup/duplicates';
import { InFlightEvents, Leader } from '../dedup/in-flight-events';
import { DriftCounts } from '../drift/drift-counts';
import { seenEventOf } from '../drift/seen-event';
import { contentDiffers } from '../event/event-warning';
import { AdmissionOutcome, outcomeUnknown, unavailable } from '../event/outcome';
import { RefusalCounts } from '../refusals/refusal-counts';
import { refusedEventOf } from '../refusals/refused-event-of';
import { RefusedEvents } from '../refusals/refused-events';
import { AdmissionChecks, Candidate, CheckParts } from './admit-event';
import { EventAnswer, answerOf } from './event-answer';

/** Dependencies of admission. */
export interface AdmissionParts extends CheckParts {
  readonly inFlightEvents: InFlightEvents;
  readonly refusals: RefusalCounts;
  readonly refusedEvents: RefusedEvents;
  readonly drift: Pick<DriftCounts, 'add'>;
}

/** Admits batches of partner events. Each event has its own outcome; `AdmissionChecks` defines the order of the checks. */
export class BatchAdmission {
  private readonly checks: AdmissionChecks;

  constructor(private readonly parts: AdmissionParts) {
    this.checks = new AdmissionChecks(parts);
  }

  /** Returns the responses in the order of the events, once all are settled; `deadlineMs` is Unix ms, `trace` is logged. */
  async admit(received: readonly BatchedEvent[], deadlineMs: number, trace: object = {}): Promise<EventAnswer[]> {
    const startMs = performance.now();
    const entries = received.map((event) => this.checks.read(event));
    const candidates = entries.filter((entry): entry is Candidate => 'identity' in entry);
    await this.settle(candidates, deadlineMs);
    const outcomes = entries.map((entry) => ('identity' in entry ? (entry.outcome ?? unavailable) : entry));
    const answers = entries.map((entry, index) => answerOf(outcomes[index], 'identity' in entry ? entry.event.id : ''));
    this.report(received, entries, outcomes, { durationMs: performance.now() - startMs, trace });
    return answers;
  }

  /** Settles all candidates: the first event of an id is checked, further ones take over its outcome. */
  private async settle(candidates: readonly Candidate[], deadlineMs: number): Promise<void> {
    const leaders: Candidate[] = [];
    const followers: { candidate: Candidate; leader: Leader }[] = [];
    for (const candidate of candidates) {
      const leader = this.parts.inFlightEvents.join(candidate.identity);
      if (leader === undefined) leaders.push(candidate);
      else followers.push({ candidate, leader });
    }
    await this.checkLeaders(leaders, deadlineMs);
    const unsettled: Candidate[] = [];
    for (const { candidate, leader } of followers) {
      candidate.outcome = duplicateOfLeader(await leader.outcome, leader.content === candidate.identity.content);
      if (candidate.outcome === undefined) unsettled.push(candidate);
      else candidate.isTwin = candidate.outcome.kind === 'accepted';
    }
    if (unsettled.length > 0) await this.settle(unsettled, deadlineMs);
  }

  private async checkLeaders(leaders: readonly Candidate[], deadlineMs: number): Promise<void> {
    let unsettled: AdmissionOutcome = unavailable;
    try {
      await this.checks.run(leaders, deadlineMs);
    } catch (error) {
      unsettled = outcomeUnknown;
      this.parts.logger.error({ err: error }, 'a batch failed; its unsettled events are answered 503');
    } finally {
      for (const leader of leaders) {
        leader.outcome ??= unsettled;
        this.parts.inFlightEvents.settle(leader.identity, leader.outcome);
      }
    }
  }

  private report(
    received: readonly BatchedEvent[],
    entries: readonly (Candidate | AdmissionOutcome)[],
    outcomes: readonly AdmissionOutcome[],
    { durationMs, trace }: { durationMs: number; trace: object },
  ): void {
    let firstRefused: string | undefined;
    for (let index = 0; index < entries.length; index++) {
      const entry = entries[index];
      if (this.countRefusal(received[index], entry, outcomes[index])) firstRefused ??= received[index].requestId;
      if ('identity' in entry) this.countDrift(entry, outcomes[index]);
    }
    const counted = entries.map((entry, index) => ('isTwin' in entry && entry.isTwin ? 'twin' : outcomes[index]));
    const totals = this.parts.metrics.batch(received, counted, durationMs / 1000);
    this.parts.logger.info(
      {
        events: received.length,
        ...totals,
        duration_ms: Math.round(durationMs * 10) / 10,
        first_refused_request_id: firstRefused,
        ...trace,
      },
      'batch',
    );
  }

  private countDrift({ event, check, isTwin }: Candidate, outcome: AdmissionOutcome): void {
    const seen = isTwin ? undefined : seenEventOf(event, outcome, check);
    if (seen === undefined) return;
    this.parts.drift.add(seen);
    this.parts.metrics.drift(seen);
  }

  private countRefusal(
    received: BatchedEvent,
    entry: Candidate | AdmissionOutcome,
    outcome: AdmissionOutcome,
  ): boolean {
    const isRefused = outcome.kind === 'refused';
    if (!isRefused && !(outcome.kind === 'duplicate' && outcome.differs)) return false;
    const event = 'identity' in entry ? entry.event : undefined;
    const refused = isRefused ? refusedEventOf(received, event, outcome) : undefined;
    if (refused) this.parts.refusedEvents.add(refused);
    this.parts.refusals.add({
      platform: received.platform,
      code: isRefused ? outcome.code : 'content_differs',
      platformUserId: event?.platformUserId ?? '',
      message: isRefused
        ? (outcome.problem?.message ?? errorCatalogue[outcome.code].publicSentence)
        : contentDiffers.message,
    });
    return isRefused;
  }
}

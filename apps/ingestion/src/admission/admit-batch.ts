import { BatchedEvent, errorCatalogue } from '@podium/messages';
import { Clocks, systemClocks } from '@podium/runtime/work';
import { duplicateOfLeader } from '../dedup/duplicates';
import { InFlightEvents, Leader, SettledEvent } from '../dedup/in-flight-events';
import { DriftCounts } from '../drift/drift-counts';
import { seenEventOf } from '../drift/seen-event';
import { contentDiffers } from '../event/event-warning';
import { AdmissionOutcome, outcomeUnknown, unavailable } from '../event/outcome';
import { RefusalCounts } from '../refusals/refusal-counts';
import { refusedEventOf } from '../refusals/refused-event-of';
import { RefusedEvents } from '../refusals/refused-events';
import { AdmissionChecks, Candidate, CheckParts } from './admit-event';
import { before } from './before';
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
  private readonly clocks: Clocks;

  constructor(private readonly parts: AdmissionParts) {
    this.clocks = parts.clocks ?? systemClocks;
    this.checks = new AdmissionChecks(parts);
  }

  /** Returns the responses in the order of the events, once all are settled; `deadlineMs` is monotonic, `trace` is logged. */
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

  /** Settles all candidates: this batch checks those whose ids it leads; others take over what another batch decides. */
  private async settle(candidates: readonly Candidate[], deadlineMs: number): Promise<void> {
    const led: Candidate[] = [];
    const ledIds = new Set<string>();
    const followers: { candidate: Candidate; leader: Leader }[] = [];
    for (const candidate of candidates) {
      const { recordId } = candidate.identity;
      const leader = ledIds.has(recordId) ? undefined : this.parts.inFlightEvents.join(candidate.identity);
      if (leader !== undefined) followers.push({ candidate, leader });
      else {
        ledIds.add(recordId);
        led.push(candidate);
      }
    }
    await this.settleLed(led, deadlineMs);
    const unsettled: Candidate[] = [];
    for (const { candidate, leader } of followers) {
      candidate.outcome = await this.outcomeOf(candidate, leader, deadlineMs);
      if (candidate.outcome === undefined) unsettled.push(candidate);
      else candidate.isTwin = candidate.outcome.kind === 'accepted';
    }
    if (unsettled.length > 0) await this.settle(unsettled, deadlineMs);
  }

  /**
   * What the event that leads the id decides about a follower, as `duplicateOfLeader`. The leader may have more time than this
   * batch, whose other events must not wait for it past their deadline.
   */
  private async outcomeOf(
    { identity }: Candidate,
    { settled }: Leader,
    deadlineMs: number,
  ): Promise<AdmissionOutcome | undefined> {
    const event = await before(deadlineMs - this.clocks.monotonic(), settled).catch(() => undefined);
    return event === undefined ? outcomeUnknown : duplicateOfLeader(identity, event);
  }

  /**
   * Checks all candidates together, also those with the same id, because many refused events under one id must not delay the
   * others of the batch. Of each id the first that passes is published.
   */
  private async settleLed(led: readonly Candidate[], deadlineMs: number): Promise<void> {
    const firsts = new Map<string, Candidate>();
    let unsettled: AdmissionOutcome = unavailable;
    try {
      const passed = await this.checks.check(led, deadlineMs);
      const published = passed.filter(({ candidate }) => {
        const { recordId } = candidate.identity;
        return !firsts.has(recordId) && firsts.set(recordId, candidate);
      });
      await this.checks.publish(published, deadlineMs);
    } catch (error) {
      unsettled = outcomeUnknown;
      this.parts.logger.error({ err: error }, 'a batch failed; its unsettled events are answered 503');
    } finally {
      this.settleIds(led, firsts, unsettled);
    }
  }

  /** Gives every candidate its outcome, in the order of the batch, and settles the ids; `firsts` were published. */
  private settleIds(
    led: readonly Candidate[],
    firsts: ReadonlyMap<string, Candidate>,
    unsettled: AdmissionOutcome,
  ): void {
    const byId = new Map<string, SettledEvent[]>();
    for (const candidate of led) {
      const { identity } = candidate;
      const first = firsts.get(identity.recordId);
      const earlier = byId.get(identity.recordId);
      if (earlier !== undefined && candidate !== first) followEarlier(candidate, earlier, first);
      const settled = { identity, outcome: (candidate.outcome ??= unsettled) };
      if (earlier === undefined) byId.set(identity.recordId, [settled]);
      else earlier.push(settled);
    }
    for (const [recordId, events] of byId) {
      const first = firsts.get(recordId);
      this.parts.inFlightEvents.settle(events.find(({ identity }) => identity === first?.identity) ?? events[0]);
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

  private countDrift({ received, event, check, isTwin }: Candidate, outcome: AdmissionOutcome): void {
    // The platform of the key, which equals that of the body: the latter would hold the body wherever it is kept.
    const names = { platform: received.platform, name: event.name };
    const seen = isTwin ? undefined : seenEventOf(names, outcome, check);
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

/** Takes over from an equal event before it, otherwise from the first of its id that was published, if that came before it. */
function followEarlier(candidate: Candidate, earlier: readonly SettledEvent[], first: Candidate | undefined): void {
  const { identity } = candidate;
  const leader =
    earlier.find((event) => event.identity.content === identity.content) ??
    earlier.find((event) => event.identity === first?.identity);
  if (leader === undefined) return;
  const taken = duplicateOfLeader(identity, leader);
  // Its own refusal says more than a failure of the first.
  if (leader.outcome.kind === 'refused') candidate.outcome ??= taken;
  else candidate.outcome = taken;
  candidate.isTwin = candidate.outcome?.kind === 'accepted';
}

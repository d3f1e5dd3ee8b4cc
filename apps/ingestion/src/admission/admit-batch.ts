import { BatchedEvent, errorCatalogue } from '@podium/messages';
import { Logger } from '@podium/runtime/log';
import { Contracts, contractAt } from '../contract-view/contracts';
import { EventIdentity, identityOf } from '../dedup/event-identity';
import { EventMarks } from '../dedup/event-marks';
import { Lead, Twins } from '../dedup/twins';
import { LinkView, accountKey } from '../link-view/link-view';
import { EventPublisher } from '../publishing/event-publisher';
import { RefusalCounts } from '../refusals/refusal-counts';
import { AdmissionMetrics } from './admission-metrics';
import { ContractCheck, checkAgainstContract } from './check';
import { AdmissionAnswer, AdmissionOutcome, answerOf, outcomeUnknown, refused, unavailable } from './outcome';
import { PartnerEvent, parseEvent } from './parse-event';

/** What admission asks and tells. */
export interface AdmissionParts {
  readonly marks: Pick<EventMarks, 'find' | 'mark'>;
  readonly twins: Twins;
  readonly contracts: Contracts;
  readonly links: Pick<LinkView, 'find'>;
  readonly publisher: Pick<EventPublisher, 'publish'>;
  readonly refusals: RefusalCounts;
  readonly metrics: AdmissionMetrics;
  readonly logger: Logger;
  readonly now?: () => number;
}

/** One event on its way through the steps; it is settled once `outcome` is set. */
interface Candidate {
  readonly received: BatchedEvent;
  readonly event: PartnerEvent;
  readonly identity: EventIdentity;
  outcome?: AdmissionOutcome;
  /** It took over the accepted leader's outcome: nothing of its own is in the topic. */
  isTwin?: boolean;
}

/** A candidate that its contract allows. */
interface Allowed {
  readonly candidate: Candidate;
  readonly check: Extract<ContractCheck, { ok: true }>;
  readonly integrationId: string;
}

/** Most of a batch's time that Kafka gets, ms; architecture: gateway 5 s, ingestion 4 s, Kafka 3 s. */
const publishMs = 3000;
/** What is left of a batch's time after Kafka, for marks and the answer, ms. */
const answerMs = 150;

/**
 * Admits batches of partner events. Each event keeps an outcome of its own and each step asks once per batch. Order of the
 * checks: form, platform, duplicate (so that the retry of an accepted event succeeds also after an unlink or a change of
 * contract), contract, link. An event is marked as handled only after Kafka has it.
 */
export class BatchAdmission {
  private readonly now: () => number;

  constructor(private readonly parts: AdmissionParts) {
    this.now = parts.now ?? Date.now;
  }

  /** The answers in the order of the events, once all have an outcome; `deadlineMs` is Unix ms, `trace` goes into the log. */
  async admit(received: readonly BatchedEvent[], deadlineMs: number, trace: object = {}): Promise<AdmissionAnswer[]> {
    const startMs = performance.now();
    const entries = received.map((event) => this.read(event));
    const candidates = entries.filter((entry): entry is Candidate => 'identity' in entry);
    await this.settle(candidates, deadlineMs);
    const outcomes = entries.map((entry) => ('identity' in entry ? (entry.outcome ?? unavailable) : entry));
    const answers = entries.map((entry, index) => answerOf(outcomes[index], 'identity' in entry ? entry.event.id : ''));
    this.report(received, entries, outcomes, { durationMs: performance.now() - startMs, trace });
    return answers;
  }

  private read(received: BatchedEvent): Candidate | AdmissionOutcome {
    const parsed = parseEvent(received.body, received.receivedAtMs);
    if (!parsed.ok) return refused('invalid_request', parsed.message);
    if (parsed.event.platform !== received.platform) return refused('platform_mismatch');
    return { received, event: parsed.event, identity: identityOf(parsed.event) };
  }

  /** Settles all candidates: leaders go through the steps, their twins take over the outcome. */
  private async settle(candidates: readonly Candidate[], deadlineMs: number): Promise<void> {
    const leaders: Candidate[] = [];
    const followers: { candidate: Candidate; lead: Lead }[] = [];
    for (const candidate of candidates) {
      const lead = this.parts.twins.join(candidate.identity);
      if (lead === undefined) leaders.push(candidate);
      else followers.push({ candidate, lead });
    }
    await this.lead(leaders, deadlineMs);
    const alone: Candidate[] = [];
    for (const { candidate, lead } of followers) {
      candidate.outcome = twinOutcome(await lead.outcome, lead.content === candidate.identity.content);
      if (candidate.outcome === undefined) alone.push(candidate);
      else candidate.isTwin = candidate.outcome.kind === 'accepted';
    }
    if (alone.length > 0) await this.settle(alone, deadlineMs);
  }

  private async lead(leaders: readonly Candidate[], deadlineMs: number): Promise<void> {
    let unsettled: AdmissionOutcome = unavailable;
    try {
      await this.runSteps(leaders, deadlineMs);
    } catch (error) {
      unsettled = outcomeUnknown;
      this.parts.logger.error({ err: error }, 'a batch failed; its unsettled events are answered 503');
    } finally {
      for (const leader of leaders) {
        leader.outcome ??= unsettled;
        this.parts.twins.settle(leader.identity, leader.outcome);
      }
    }
  }

  private async runSteps(leaders: readonly Candidate[], deadlineMs: number): Promise<void> {
    const unhandled = await this.dropHandled(leaders);
    const allowed = this.checkContracts(unhandled);
    if (allowed.length === 0) return;
    await this.publishLinked(allowed, deadlineMs);
    const accepted = leaders.filter(({ outcome }) => outcome?.kind === 'accepted').map(({ identity }) => identity);
    if (accepted.length > 0) await this.parts.metrics.step('mark', this.parts.marks.mark(accepted));
  }

  /** Settles events whose id has a mark; without Redis nothing is known and all go on. */
  private async dropHandled(leaders: readonly Candidate[]): Promise<readonly Candidate[]> {
    if (leaders.length === 0) return leaders;
    const { marks, metrics } = this.parts;
    const contents = await metrics.step('find', marks.find(leaders.map(({ identity }) => identity)));
    if (contents === undefined) return leaders;
    return leaders.filter((leader, index) => {
      const content = contents[index];
      if (content === null) return true;
      leader.outcome = { kind: 'duplicate', differs: content !== leader.identity.content };
      return false;
    });
  }

  private checkContracts(candidates: readonly Candidate[]): Allowed[] {
    const allowed: Allowed[] = [];
    for (const candidate of candidates) {
      const { received, event } = candidate;
      const platform = this.parts.contracts.of(event.platform);
      if (platform === undefined) {
        candidate.outcome = unavailable;
        continue;
      }
      const check = checkAgainstContract(event, contractAt(platform, received.receivedAtMs));
      if (check.ok) allowed.push({ candidate, check, integrationId: platform.integrationId });
      else candidate.outcome = check.outcome;
    }
    return allowed;
  }

  /** Looks up the links and publishes what has one, all at once, so that it leaves as one batch. */
  private async publishLinked(allowed: readonly Allowed[], deadlineMs: number): Promise<void> {
    const { metrics } = this.parts;
    const accounts = allowed.map(({ candidate }) => candidate.event);
    const lookUp = this.parts.links.find(accounts);
    const links = await metrics.step('links', before(deadlineMs - this.now(), lookUp)).catch((error: unknown) => {
      this.parts.logger.warn({ err: error }, 'the link view is away; events are answered 503');
      return undefined;
    });
    if (links === undefined) return;
    const nowMs = this.now();
    const publishBeforeMs = Math.min(nowMs + publishMs, deadlineMs - answerMs);
    const publish = async ({ candidate, check, integrationId }: Allowed): Promise<void> => {
      const { event, identity, received } = candidate;
      const link = links.get(accountKey(event));
      candidate.outcome =
        link === undefined
          ? refused('user_not_linked')
          : await this.parts.publisher.publish(
              {
                event,
                identity,
                check,
                link,
                integrationId,
                receivedAtMs: received.receivedAtMs,
                traceparent: received.traceparent,
              },
              publishBeforeMs,
            );
      if (candidate.outcome.kind === 'accepted') metrics.inTopic(received.receivedAtMs, this.now());
    };
    await metrics.step('publish', Promise.all(allowed.map(publish)));
  }

  private report(
    received: readonly BatchedEvent[],
    entries: readonly (Candidate | AdmissionOutcome)[],
    outcomes: readonly AdmissionOutcome[],
    { durationMs, trace }: { durationMs: number; trace: object },
  ): void {
    let firstRefused: string | undefined;
    for (let index = 0; index < entries.length; index++)
      if (this.countRefusal(received[index], entries[index], outcomes[index]))
        firstRefused ??= received[index].requestId;
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

  private countRefusal(
    received: BatchedEvent,
    entry: Candidate | AdmissionOutcome,
    outcome: AdmissionOutcome,
  ): boolean {
    const isRefused = outcome.kind === 'refused';
    if (!isRefused && !(outcome.kind === 'duplicate' && outcome.differs)) return false;
    this.parts.refusals.add({
      platform: received.platform,
      code: isRefused ? outcome.code : 'content_differs',
      platformUserId: 'identity' in entry ? entry.event.platformUserId : '',
      message: isRefused
        ? (outcome.message ?? errorCatalogue[outcome.code].publicSentence)
        : 'The id was handled before with other content; the first stays.',
    });
    return isRefused;
  }
}

/**
 * What a twin takes over: the leader's outcome when the content is the same; a duplicate when the leader was handled; else
 * nothing, because what was wrong with the leader's content says nothing about another one.
 */
function twinOutcome(lead: AdmissionOutcome, sameContent: boolean): AdmissionOutcome | undefined {
  if (sameContent) return lead;
  return lead.kind === 'refused' ? undefined : { kind: 'duplicate', differs: true };
}

/** The result, or a rejection when it takes longer; a look-up that hangs must not hold the batch. */
async function before<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('not answered before the deadline')), Math.max(timeoutMs, 0));
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

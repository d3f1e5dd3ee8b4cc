import { BatchedEvent } from '@podium/messages';
import { Logger } from '@podium/runtime/log';
import { accountKey } from '../accounts/account';
import { ContractCheck, checkAgainstContract } from '../contract-view/contract-check';
import { Contracts, contractAt } from '../contract-view/contracts';
import { duplicateOfMarked } from '../dedup/duplicates';
import { EventIdentity, identityOf } from '../dedup/event-identity';
import { EventMarks } from '../dedup/event-marks';
import { AdmissionOutcome, refused, unavailable } from '../event/outcome';
import { parseEvent } from '../event/parse-event';
import { PartnerEvent } from '../event/partner-event';
import { checkLink } from '../link-view/link-check';
import { LinkView } from '../link-view/link-view';
import { AdmittedEvent, EventPublisher } from '../publishing/event-publisher';
import { AdmissionMetrics } from './admission-metrics';
import { before } from './before';

/** Dependencies of the checks that admit an event; `AdmissionChecks` defines their order. */
export interface CheckParts {
  readonly marks: Pick<EventMarks, 'find' | 'mark'>;
  readonly contracts: Contracts;
  readonly links: Pick<LinkView, 'find'>;
  readonly publisher: Pick<EventPublisher, 'publish'>;
  readonly metrics: AdmissionMetrics;
  readonly logger: Logger;
  readonly now?: () => number;
}

type AllowedByContract = Extract<ContractCheck, { ok: true }>;

/** A well-formed event that passes through the checks; it is settled once `outcome` is set. */
export interface Candidate {
  readonly received: BatchedEvent;
  readonly event: PartnerEvent;
  readonly identity: EventIdentity;
  outcome?: AdmissionOutcome;
  /** Set when its contract allows it. */
  check?: AllowedByContract;
  /** Whether it took over the accepted outcome of an event in flight and was not published itself. */
  isTwin?: boolean;
}

/** A candidate allowed by its contract. */
interface Allowed {
  readonly candidate: Candidate;
  readonly check: AllowedByContract;
  readonly integrationId: string;
}

/** The share of a batch's time for Kafka, ms; architecture: gateway 5 s, ingestion 4 s, Kafka 3 s. */
const publishMs = 3000;
/** Time reserved after Kafka for marks and the answer, ms. */
const answerMs = 150;

/**
 * The checks of an event in order: form, platform, duplicate, contract, link. Then it is published and marked as handled.
 * The duplicate check comes before the contract and the link, so that the retry of an accepted event succeeds after an unlink
 * or a new contract. Each step makes one lookup per batch.
 */
export class AdmissionChecks {
  private readonly now: () => number;

  constructor(private readonly parts: CheckParts) {
    this.now = parts.now ?? Date.now;
  }

  /** Checks form and platform, without any lookup; returns the refusal of an event that fails. */
  read(received: BatchedEvent): Candidate | AdmissionOutcome {
    const parsed = parseEvent(received.body, received.receivedAtMs);
    if (!parsed.ok) return refused('invalid_request', parsed.problem);
    if (parsed.event.platform !== received.platform) return refused('platform_mismatch');
    return { received, event: parsed.event, identity: identityOf(parsed.event) };
  }

  /** Runs the remaining checks, publishes and marks; sets the outcomes reached so far, even when it rejects. */
  async run(candidates: readonly Candidate[], deadlineMs: number): Promise<void> {
    const unhandled = await this.checkDuplicates(candidates, deadlineMs);
    const allowed = this.checkContracts(unhandled);
    if (allowed.length === 0) return;
    await this.publishLinked(allowed, deadlineMs);
    const accepted = candidates.filter(({ outcome }) => outcome?.kind === 'accepted').map(({ identity }) => identity);
    // Only after Kafka has the events: a mark without its event would lose the event.
    if (accepted.length > 0) await this.parts.metrics.step('mark', this.parts.marks.mark(accepted));
  }

  /** Settles events whose id has a mark; without an answer about marks all continue. */
  private async checkDuplicates(candidates: readonly Candidate[], deadlineMs: number): Promise<readonly Candidate[]> {
    if (candidates.length === 0) return candidates;
    const { marks, metrics, logger } = this.parts;
    const lookup = before(deadlineMs - this.now(), marks.find(candidates.map(({ identity }) => identity)));
    const contents = await metrics.step('find', lookup).catch((error: unknown) => {
      logger.warn({ err: error }, 'the marks are unavailable; events are admitted without');
      return undefined;
    });
    if (contents === undefined) return candidates;
    return candidates.filter((candidate, index) => {
      candidate.outcome = duplicateOfMarked(candidate.identity, contents[index]);
      return candidate.outcome === undefined;
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
      if (check.ok) {
        candidate.check = check;
        allowed.push({ candidate, check, integrationId: platform.integrationId });
      } else candidate.outcome = check.outcome;
    }
    return allowed;
  }

  /** Looks up the links and publishes the events of linked users together. */
  private async publishLinked(allowed: readonly Allowed[], deadlineMs: number): Promise<void> {
    const { links, publisher, metrics, logger } = this.parts;
    const lookup = before(deadlineMs - this.now(), links.find(allowed.map(({ candidate }) => candidate.event)));
    const found = await metrics.step('links', lookup).catch((error: unknown) => {
      logger.warn({ err: error }, 'the link view is unavailable; events are answered 503');
      return undefined;
    });
    if (found === undefined) return;
    const publishBeforeMs = Math.min(this.now() + publishMs, deadlineMs - answerMs);
    const linked: { readonly candidate: Candidate; readonly admitted: AdmittedEvent }[] = [];
    for (const { candidate, check, integrationId } of allowed) {
      const { event, identity, received } = candidate;
      const { receivedAtMs, traceparent } = received;
      const checked = checkLink(found.get(accountKey(event)));
      if (!checked.ok) candidate.outcome = checked.outcome;
      else {
        const admitted = { event, identity, check, link: checked.link, integrationId, receivedAtMs, traceparent };
        linked.push({ candidate, admitted });
      }
    }
    if (linked.length === 0) return;
    const events = linked.map(({ admitted }) => admitted);
    const outcomes = await metrics.step('publish', publisher.publish(events, publishBeforeMs));
    const nowMs = this.now();
    linked.forEach(({ candidate }, at) => {
      candidate.outcome = outcomes[at];
      if (outcomes[at].kind === 'accepted') metrics.inTopic(candidate.received.receivedAtMs, nowMs);
    });
  }
}

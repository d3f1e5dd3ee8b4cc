import { BatchedEvent } from '@podium/messages';
import { Logger } from '@podium/runtime/log';
import { Clocks, systemClocks } from '@podium/runtime/work';
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
  /** Those of the process by default; deadlines are by the monotonic one. */
  readonly clocks?: Clocks;
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

/** A candidate that passed all checks and can be published. */
export interface Admissible {
  readonly candidate: Candidate;
  readonly admitted: AdmittedEvent;
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
  private readonly clocks: Clocks;

  constructor(private readonly parts: CheckParts) {
    this.clocks = parts.clocks ?? systemClocks;
  }

  /** Checks form and platform, without any lookup; returns the refusal of an event that fails. */
  read(received: BatchedEvent): Candidate | AdmissionOutcome {
    const parsed = parseEvent(received.body, received.receivedAtMs);
    if (!parsed.ok) return refused('invalid_request', parsed.problem);
    if (parsed.event.platform !== received.platform) return refused('platform_mismatch');
    return { received, event: parsed.event, identity: identityOf(parsed.event) };
  }

  /** Runs the remaining checks; sets the outcomes reached so far, even when it rejects, and returns the candidates that pass. */
  async check(candidates: readonly Candidate[], deadlineMs: number): Promise<readonly Admissible[]> {
    const unhandled = await this.checkDuplicates(candidates, deadlineMs);
    const allowed = this.checkContracts(unhandled);
    return allowed.length === 0 ? [] : this.checkLinks(allowed, deadlineMs);
  }

  /** Publishes candidates together, at most one of an id, and marks those that Kafka has; sets their outcomes. */
  async publish(admissible: readonly Admissible[], deadlineMs: number): Promise<void> {
    if (admissible.length === 0) return;
    const { publisher, marks, metrics } = this.parts;
    const timeLeftMs = Math.min(publishMs, deadlineMs - answerMs - this.clocks.monotonic());
    const events = admissible.map(({ admitted }) => admitted);
    const outcomes = await metrics.step('publish', publisher.publish(events, this.clocks.timeOfDay() + timeLeftMs));
    const nowMs = this.clocks.timeOfDay();
    const accepted: EventIdentity[] = [];
    admissible.forEach(({ candidate }, at) => {
      candidate.outcome = outcomes[at];
      if (outcomes[at].kind !== 'accepted') return;
      accepted.push(candidate.identity);
      metrics.inTopic(candidate.received.receivedAtMs, nowMs);
    });
    // Only after Kafka has the events: a mark without its event would lose the event.
    if (accepted.length > 0) await metrics.step('mark', marks.mark(accepted));
  }

  /** Settles events whose id has a mark; without an answer about marks all continue. */
  private async checkDuplicates(candidates: readonly Candidate[], deadlineMs: number): Promise<readonly Candidate[]> {
    if (candidates.length === 0) return candidates;
    const { marks, metrics, logger } = this.parts;
    const lookup = before(deadlineMs - this.clocks.monotonic(), marks.find(candidates.map(({ identity }) => identity)));
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

  /** Looks up the links; returns the events of linked users. */
  private async checkLinks(allowed: readonly Allowed[], deadlineMs: number): Promise<readonly Admissible[]> {
    const { links, metrics, logger } = this.parts;
    const lookup = before(
      deadlineMs - this.clocks.monotonic(),
      links.find(allowed.map(({ candidate }) => candidate.event)),
    );
    const found = await metrics.step('links', lookup).catch((error: unknown) => {
      logger.warn({ err: error }, 'the link view is unavailable; events are answered 503');
      return undefined;
    });
    if (found === undefined) return [];
    const linked: Admissible[] = [];
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
    return linked;
  }
}

import { BatchedEvent, ErrorCode, RetryClass, errorCatalogue } from '@podium/messages';
import { Logger } from '@podium/runtime/log';
import { accountKey } from '../accounts/account';
import { Contracts, contractAt } from '../contract-view/contracts';
import { attributeProblems, splitAttributes } from '../contract-view/dropped-attributes';
import { checkValues } from '../contract-view/value-warnings';
import { EventWarning, contentDiffers } from '../event/event-warning';
import { identityOf } from '../dedup/event-identity';
import { EventMarks } from '../dedup/event-marks';
import { FieldProblem } from '../event/body-refusal';
import { unavailable } from '../event/outcome';
import { maxAttributes } from '../event/event-limits';
import { maxProblems } from '../event/json-reader';
import { inspectEvent } from '../event/parse-event';
import { PartnerEvent } from '../event/partner-event';
import { LinkView } from '../link-view/link-view';
import { before } from './before';
import { EventAnswer, answerOf, retryOf } from './event-answer';

/** One reason why `send` would refuse an event. */
export interface EventProblem {
  readonly code: ErrorCode;
  /** The path of the field at fault; empty for the body as a whole. */
  readonly field: string;
  readonly message: string;
  readonly retry: RetryClass;
}

/** What `send` would do with an event. */
export interface EventReport {
  /** Whether no check fails. */
  readonly valid: boolean;
  /** Whether `send` would answer 200 and change nothing, because form and platform are right and the id was handled before. */
  readonly duplicate: boolean;
  /** At most `maxProblems`. */
  readonly problems: readonly EventProblem[];
  /** Names of attributes that are not negotiated, which `send` would leave out; of the first `maxAttributes`, as warnings are. */
  readonly dropped_attributes: readonly string[];
  /** What `send` would warn of if it accepted the event, or answered that its id was handled. */
  readonly warnings: readonly EventWarning[];
}

/** Dependencies of the validation of events. */
export interface ValidationParts {
  readonly marks: Pick<EventMarks, 'find'>;
  readonly contracts: Contracts;
  readonly links: Pick<LinkView, 'find'>;
  readonly logger: Logger;
}

/**
 * Makes all checks of `AdmissionChecks` on an event and reports every problem at once. It publishes, marks and counts nothing.
 * Contract, link and mark are always those of the key's own platform, so that nobody learns of another's (invariant V5).
 */
export class EventValidation {
  constructor(private readonly parts: ValidationParts) {}

  /** A 200 with an `EventReport`, or a 503 when contract or link cannot be checked before `deadlineMs`, monotonic. */
  async validate(received: BatchedEvent, deadlineMs: number): Promise<EventAnswer> {
    try {
      const report = await before(deadlineMs - performance.now(), this.report(received));
      if (report === undefined) return answerOf(unavailable, '');
      return { status: 200, retryAfterS: 0, body: Buffer.from(JSON.stringify(report)) };
    } catch (error) {
      this.parts.logger.warn({ err: error, request_id: received.requestId }, 'an event cannot be validated');
      return answerOf(unavailable, '');
    }
  }

  /** Undefined while the platform's contract is not known. */
  private async report(received: BatchedEvent): Promise<EventReport | undefined> {
    const { event, problems: ofBody } = inspectEvent(received.body, received.receivedAtMs);
    const problems = ofBody.map((problem) => problemOf('invalid_request', problem));
    if (event === undefined) return reportOf({ problems });
    if (event.platform !== '' && event.platform !== received.platform)
      problems.push(problemOf('platform_mismatch', { field: 'platform' }));
    // These checks come before that of the id, all others after it.
    const reachesMark = problems.length === 0;
    // An event with more is refused whole. Reading all that a body holds would take the time of the events of others.
    const attributes = event.attributes.slice(0, maxAttributes);
    const own = { ...event, platform: received.platform };
    const platform = this.parts.contracts.of(own.platform);
    if (platform === undefined) return undefined;
    const negotiated = contractAt(platform, received.receivedAtMs)?.events.get(own.name)?.attributes;
    let dropped: readonly string[] = [];
    const warnings: EventWarning[] = [];
    if (negotiated !== undefined) {
      for (const problem of attributeProblems(attributes, negotiated))
        problems.push(problemOf('invalid_request', problem));
      const split = splitAttributes(attributes, negotiated);
      if (split.ok) dropped = split.dropped.filter((name) => name !== '');
      warnings.push(...checkValues(attributes, negotiated).notParsed.map(({ warning }) => warning));
    } else if (own.name !== '') problems.push(problemOf('event_not_negotiated', { field: 'event.name' }));
    if (own.platformUserId !== '' && !(await this.isLinked(own)))
      problems.push(problemOf('user_not_linked', { field: 'platform_user_id' }));
    const marked = own.id === '' ? undefined : await this.markedContent(own);
    if (marked !== undefined && marked !== identityOf(own).content) warnings.push(contentDiffers);
    return reportOf({ problems, duplicate: reachesMark && marked !== undefined, dropped, warnings });
  }

  /** No user has an id with NUL or an unpaired surrogate, and Postgres would fail at the first and find another id for the second. */
  private async isLinked(event: PartnerEvent): Promise<boolean> {
    const { platformUserId } = event;
    if (!platformUserId.isWellFormed() || platformUserId.includes('\0')) return false;
    return (await this.parts.links.find([event])).has(accountKey(event));
  }

  /** The content under which the id was handled; undefined without Redis, where `send` would not know either. */
  private async markedContent(event: PartnerEvent): Promise<string | undefined> {
    const marks = await this.parts.marks.find([identityOf(event)]);
    return marks?.[0] ?? undefined;
  }
}

function reportOf(found: {
  problems: readonly EventProblem[];
  duplicate?: boolean;
  dropped?: readonly string[];
  warnings?: readonly EventWarning[];
}): EventReport {
  const { problems, duplicate = false, dropped = [], warnings = [] } = found;
  return {
    ...{ valid: problems.length === 0, duplicate, problems: problems.slice(0, maxProblems) },
    ...{ dropped_attributes: dropped, warnings },
  };
}

function problemOf(code: ErrorCode, problem: Partial<FieldProblem> & Pick<FieldProblem, 'field'>): EventProblem {
  const { field, message = errorCatalogue[code].publicSentence } = problem;
  return { code, field, message, retry: retryOf(code, problem) };
}

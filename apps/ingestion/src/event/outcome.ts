import { ErrorCode } from '@podium/messages';
import { FieldProblem } from './body-refusal';
import { EventWarning } from './event-warning';

/** The result of admitting one event; it becomes the answer, the metric and the count of refusals. */
export type AdmissionOutcome =
  /** Kafka has the event with all acknowledgements. */
  | { readonly kind: 'accepted'; readonly dropped: readonly string[]; readonly warnings: readonly EventWarning[] }
  /** Its id was handled before; `differs` when its content is not that of the first event, of which `firstContent` is the digest. */
  | { readonly kind: 'duplicate'; readonly differs: boolean; readonly firstContent: string }
  | {
      readonly kind: 'refused';
      readonly code: ErrorCode;
      /** What is wrong with the body, instead of the code's public sentence. */
      readonly problem?: FieldProblem;
      /** Whether only the partner may send the event again: it may be in the topic, or no instance can write its partition. */
      readonly isUnknown?: true;
    };

/** A refusal with a code of the error catalogue. */
export function refused(code: ErrorCode, problem?: FieldProblem): AdmissionOutcome {
  return { kind: 'refused', code, problem };
}

/** The link view or the contract is unavailable, or nothing was sent to Kafka: the event is not in the topic. */
export const unavailable = refused('unavailable');

/** Sent to Kafka without a confirmation, possibly sent, or of a partition that fails: the partner's retry decides. */
export const outcomeUnknown: AdmissionOutcome = { kind: 'refused', code: 'unavailable', isUnknown: true };

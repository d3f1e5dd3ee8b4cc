import { errorCatalogue } from '@podium/messages';
import { AdmissionOutcome } from '../event/outcome';
import { EventIdentity } from './event-identity';
import { SettledEvent } from './in-flight-events';

/*
 * When is an event a duplicate? When an event of the same platform with the same id was handled before. Three stages find it:
 * the same id in flight in this instance (in-flight-events.ts), a mark in Redis (event-marks.ts) and, if both miss it, the
 * inbox of engagement in the transaction of the effect. The first content under an id is retained.
 */

/** The outcome of an event by the content under its mark; `undefined` when there is no mark. */
export function duplicateOfMarked(identity: EventIdentity, markedContent: string | null): AdmissionOutcome | undefined {
  return markedContent === null ? undefined : duplicateOf(identity, markedContent);
}

/**
 * The outcome of an event by that of another with its id, which came first: the same when the content is the same, a duplicate
 * when the first was handled, and a fault of ours when that kept the first from being handled. `undefined` when the first
 * was refused for its content, because other content may be accepted.
 */
export function duplicateOfLeader(
  identity: EventIdentity,
  { identity: leader, outcome }: SettledEvent,
): AdmissionOutcome | undefined {
  if (outcome.kind === 'duplicate') return duplicateOf(identity, outcome.firstContent);
  if (leader.content === identity.content) return outcome;
  if (outcome.kind === 'accepted') return duplicateOf(identity, leader.content);
  return errorCatalogue[outcome.code].status >= 500 ? outcome : undefined;
}

function duplicateOf({ content }: EventIdentity, firstContent: string): AdmissionOutcome {
  return { kind: 'duplicate', differs: firstContent !== content, firstContent };
}

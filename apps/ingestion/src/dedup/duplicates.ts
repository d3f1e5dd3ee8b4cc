import { AdmissionOutcome } from '../event/outcome';
import { EventIdentity } from './event-identity';

/*
 * When is an event a duplicate? When an event of the same platform with the same id was handled before. Three stages find it:
 * the same id in flight in this instance (in-flight-events.ts), a mark in Redis (event-marks.ts) and, if both miss it, the
 * inbox of engagement in the transaction of the effect. The first content under an id is retained.
 */

/** The outcome of an event by the content under its mark; `undefined` when there is no mark. */
export function duplicateOfMarked(identity: EventIdentity, markedContent: string | null): AdmissionOutcome | undefined {
  return markedContent === null ? undefined : { kind: 'duplicate', differs: markedContent !== identity.content };
}

/**
 * The outcome of an event by that of its leader in flight: the same when the content is the same, a duplicate when the leader
 * was handled. `undefined` when the leader was refused, because other content may be accepted.
 */
export function duplicateOfLeader(leader: AdmissionOutcome, isSameContent: boolean): AdmissionOutcome | undefined {
  if (isSameContent) return leader;
  return leader.kind === 'refused' ? undefined : { kind: 'duplicate', differs: true };
}

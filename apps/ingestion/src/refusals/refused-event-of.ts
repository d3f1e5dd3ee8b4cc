import { BatchedEvent, ErrorCode, ErrorRow, errorCatalogue } from '@podium/messages';
import { maxProblems } from '../event/json-reader';
import { inspectEvent } from '../event/parse-event';
import { AdmissionOutcome } from '../event/outcome';
import { PartnerEvent } from '../event/partner-event';
import { RefusedEvent } from './refused-events';

/** What a refused body says of itself; empty where it cannot be read. */
type Named = Pick<PartnerEvent, 'id' | 'platformUserId'>;

/** Larger bodies are not read again for their id, because a flood of them would take the time of events. */
const maxReadBytes = 16 * 1024;

/** Fields that a code names without a message of its own. */
const fieldsOfCodes: Readonly<Partial<Record<ErrorCode, string>>> = {
  platform_mismatch: 'platform',
  event_not_negotiated: 'event.name',
  user_not_linked: 'platform_user_id',
};

/**
 * A refusal as its partner sees it; `event` is missing when the form or the platform was refused. Undefined for our own faults,
 * which say nothing about the event.
 */
export function refusedEventOf(
  received: BatchedEvent,
  event: PartnerEvent | undefined,
  outcome: Extract<AdmissionOutcome, { kind: 'refused' }>,
): RefusedEvent | undefined {
  const { status, publicSentence }: ErrorRow = errorCatalogue[outcome.code];
  if (status >= 500) return undefined;
  const { id, platformUserId } = event ?? namedIn(received);
  return {
    platform: received.platform,
    eventId: id,
    code: outcome.code,
    field: fieldsOfCodes[outcome.code] ?? outcome.problem?.field ?? '',
    message: outcome.problem?.message ?? publicSentence,
    // A body for another platform names a user of that platform.
    platformUserId: outcome.code === 'platform_mismatch' ? '' : platformUserId,
    requestId: received.requestId,
  };
}

/** Identifiers that cannot be read, or that the edge would refuse, are left out. */
function namedIn({ body, receivedAtMs }: BatchedEvent): Named {
  if (body.length > maxReadBytes) return { id: '', platformUserId: '' };
  const { event, problems } = inspectEvent(body, receivedAtMs);
  // There may be more problems than are listed.
  if (problems.length >= maxProblems) return { id: '', platformUserId: '' };
  const hasProblem = (path: string): boolean => problems.some(({ field }) => field === path);
  return {
    id: hasProblem('event.id') ? '' : (event?.id ?? ''),
    platformUserId: hasProblem('platform_user_id') ? '' : (event?.platformUserId ?? ''),
  };
}

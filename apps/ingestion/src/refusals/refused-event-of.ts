import { BatchedEvent, ErrorCode, ErrorRow, errorCatalogue } from '@podium/messages';
import { isBlank, isTooLong } from '../event/parse-event';
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
  const { id, platformUserId } = event ?? namedIn(received.body);
  const message = outcome.message ?? publicSentence;
  return {
    platform: received.platform,
    eventId: id,
    code: outcome.code,
    field: fieldsOfCodes[outcome.code] ?? fieldIn(message),
    message,
    // A body for another platform names a user of that platform.
    platformUserId: outcome.code === 'platform_mismatch' ? '' : platformUserId,
    requestId: received.requestId,
  };
}

/** The path with which a message about a field begins (docs/errors.md, invalid_request). */
function fieldIn(message: string): string {
  return /^(?:platform(?:_user_id)?|event)(?:[.[][\w.[\]]*)?(?= )/.exec(message)?.[0] ?? '';
}

function namedIn(body: Buffer): Named {
  const request = body.length > maxReadBytes ? undefined : fieldsOf(parsed(body));
  return { id: identifierIn(fieldsOf(request?.event)?.id), platformUserId: identifierIn(request?.platform_user_id) };
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

function fieldsOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

function identifierIn(value: unknown): string {
  if (typeof value !== 'string' || isBlank(value) || isTooLong(value)) return '';
  return value.isWellFormed() && !value.includes('\0') ? value : '';
}

import type { components } from '../generated/partner-events';
import { RefusedError } from '../errors/podium-error';

/** An event of a linked user, as the caller gives it. */
export interface PartnerEvent {
  /** Unique per distinct event, and the same for every retry. */
  readonly id: string;
  /** The user at the partner, as returned in the field `sub` of the user info response. */
  readonly platformUserId: string;
  /** A negotiated name. */
  readonly name: string;
  /** When the event happened, not when it is sent: a date, or whole Unix seconds. */
  readonly createdAt: Date | number;
  /** Values of negotiated attributes by name; values are always strings. */
  readonly attributes?: Readonly<Record<string, string>> | undefined;
}

/** The largest body of one event in bytes (docs, Limits). */
export const maxEventBytes = 64 * 1024;

/** The body of a send request. */
type SendBody = components['schemas']['SendEventDto'];

/** An event as it is sent and stored: the JSON text of its request body, and what the SDK needs of it. */
export interface EncodedEvent {
  readonly id: string;
  readonly platformUserId: string;
  readonly name: string;
  readonly body: string;
}

/** The request body of an event; throws RefusedError for one that has no JSON form or is larger than 64 KiB. */
export function encodeEvent(platform: string, event: PartnerEvent): EncodedEvent {
  const { id, platformUserId, name } = event;
  const body = jsonOf(platform, event);
  if (Buffer.byteLength(body) > maxEventBytes)
    throw new RefusedError({
      code: 'event_too_large',
      message: `The event is larger than ${maxEventBytes} bytes. Send fewer or shorter attributes.`,
      eventId: id,
    });
  return { id, platformUserId, name, body };
}

function jsonOf(platform: string, { id, platformUserId, name, createdAt, attributes = {} }: PartnerEvent): string {
  const created_at = unixSeconds(createdAt, id);
  try {
    const pairs = Object.entries(attributes).map(([attribute, value]) => ({ name: attribute, value }));
    const sent: SendBody = {
      platform,
      platform_user_id: platformUserId,
      event: { id, name, created_at, attributes: pairs },
    };
    return JSON.stringify(sent);
  } catch (error) {
    // Callers without types give such values: a BigInt, an object that contains itself, attributes that are null.
    const reason = error instanceof Error ? error.message : String(error);
    throw new RefusedError({
      code: 'event_not_encodable',
      message: `The event has no JSON form: ${reason}. Ids, names and values are strings.`,
      eventId: String(id),
    });
  }
}

/** The event of a stored request body; undefined for a text that is none. */
export function decodeEvent(body: string): EncodedEvent | undefined {
  try {
    const { platform_user_id: platformUserId, event } = JSON.parse(body) as SendBody;
    return { id: event.id, platformUserId, name: event.name, body };
  } catch {
    return undefined;
  }
}

/** The platform in the body of an event, which an earlier process may have given. */
export function platformOf({ body }: EncodedEvent): string {
  return (JSON.parse(body) as SendBody).platform;
}

function unixSeconds(createdAt: Date | number, eventId: string): number {
  const seconds = createdAt instanceof Date ? Math.floor(createdAt.getTime() / 1000) : createdAt;
  // JSON would turn an invalid date into null.
  if (!Number.isSafeInteger(seconds))
    throw new RefusedError({
      code: 'event_not_encodable',
      message: 'createdAt is not a valid date or whole number of Unix seconds.',
      eventId,
    });
  return seconds;
}

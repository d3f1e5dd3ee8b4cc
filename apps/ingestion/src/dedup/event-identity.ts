import { hash } from 'node:crypto';
import { userEventRecordId } from '@podium/messages';
import { PartnerEvent } from '../event/partner-event';

/** The identity of an event, and the digest that distinguishes two contents under one id. */
export interface EventIdentity {
  /** Hex of 16 bytes over (platform, event id): the record's id and the key of the event's mark. */
  readonly recordId: string;
  /** 96 bits of a digest over all other known fields, attributes in the order sent; base64. */
  readonly content: string;
}

/** The identity of an event, sent with its platform's own key: equal ids of two platforms are two events (invariant V5). */
export function identityOf(event: PartnerEvent): EventIdentity {
  return { recordId: userEventRecordId(event.platform, event.id), content: contentDigest(event) };
}

function contentDigest(event: PartnerEvent): string {
  // JSON delimits the parts unambiguously for all characters.
  const parts = [
    event.platformUserId,
    event.name,
    event.createdAt,
    event.attributes.map(({ name, value }) => [name, value]),
  ];
  return hash('sha256', JSON.stringify(parts), 'base64').slice(0, 16);
}

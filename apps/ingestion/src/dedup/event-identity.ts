import { hash } from 'node:crypto';
import { userEventRecordId } from '@podium/messages';
import { PartnerEvent } from '../admission/parse-event';

/** What identifies an event and what tells two contents under one id apart. */
export interface EventIdentity {
  /** Hex of 16 bytes over (platform, event id): the record's id and the key of the event's mark. */
  readonly recordId: string;
  /** 96 bits of a digest over everything else that the partner sent in known fields, in the order sent, base64. */
  readonly content: string;
}

/** The identity of an event that its platform's own key sent: equal ids of two platforms are two events (V5). */
export function identityOf(event: PartnerEvent): EventIdentity {
  return { recordId: userEventRecordId(event.platform, event.id), content: contentDigest(event) };
}

function contentDigest(event: PartnerEvent): string {
  // JSON keeps the parts apart, whatever characters they hold.
  const parts = [
    event.platformUserId,
    event.name,
    event.createdAt,
    event.attributes.map(({ name, value }) => [name, value]),
  ];
  return hash('sha256', JSON.stringify(parts), 'base64').slice(0, 16);
}

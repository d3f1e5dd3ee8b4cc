import { encodeEvent } from '../src/api/partner-event';
import type { EncodedEvent, PartnerEvent } from '../src/api/partner-event';

/** An event with only what a test says about it. */
export function partnerEvent(id: string, platformUserId = 'user-1', name = 'deposit'): PartnerEvent {
  return { id, platformUserId, name, createdAt: 1_767_225_600, attributes: { amount: '25.00' } };
}

/** The same as it is stored and sent. */
export function encoded(id: string, platformUserId?: string, name?: string): EncodedEvent {
  return encodeEvent('acme', partnerEvent(id, platformUserId, name));
}

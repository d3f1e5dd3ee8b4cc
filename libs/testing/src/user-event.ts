import { EventAttribute, UserEventData } from '@podium/messages';

/** Fields that a test sets in an event; the others have defaults. */
export interface GivenUserEvent {
  id: string;
  /** Unix seconds. */
  createdAt: number;
  name?: string;
  /** By name, in order. */
  attributes?: Readonly<Record<string, string>>;
  platform?: string;
  userId?: string;
  platformUserId?: string;
  kind?: UserEventData['kind'];
  /** Unix milliseconds. */
  receivedAt?: number;
}

/** An accepted event of user `user-1` of platform `acme`, a repeatable `deposit`, unless the test sets other fields. */
export function userEvent(given: GivenUserEvent): UserEventData {
  const attributes = Object.entries(given.attributes ?? {}).map(([name, value]): EventAttribute => ({ name, value }));
  return {
    platform: given.platform ?? 'acme',
    platform_user_id: given.platformUserId ?? `sub-of-${given.userId ?? 'user-1'}`,
    event: { id: given.id, name: given.name ?? 'deposit', created_at: given.createdAt, attributes },
    user_id: given.userId ?? 'user-1',
    link_id: 'link-1',
    linked_at: 1,
    integration_id: 'integration-1',
    organizer_id: 'organizer-1',
    kind: given.kind ?? 'repeatable',
    contract_version: 1,
    dropped_attributes: [],
    received_at: given.receivedAt ?? given.createdAt * 1000,
  };
}

import { OAuthPartner, newOAuthPartner } from '@podium/simulated-partner';

/** How a partner sends events: URL, platform and key. */
export interface Sending {
  send_event_url: string;
  platform: string;
  event_api_key: string;
}

/** An event for the service, resent until it is accepted (specification, Flow rules 5). */
export interface QueuedEvent {
  id: string;
  sub: string;
  name: string;
  /** Unix seconds. */
  created_at: number;
  attributes: { name: string; value: string }[];
  attempts: number;
  /** The earliest time of the next attempt, Unix ms. */
  next_at: number;
  accepted: boolean;
  last_answer: string;
}

/** One partner with all its state. */
export interface Partner extends OAuthPartner {
  sending: Sending | null;
  /** Facts that an account already has before it is linked; sent right after linking (specification, Flow rules 3). */
  initial_facts: { name: string; attributes: { name: string; value: string }[] }[];
  linked: string[];
  events: QueuedEvent[];
}

/** A partner that is not configured yet. */
export function newPartner(name: string): Partner {
  return {
    ...newOAuthPartner(name),
    sending: null,
    initial_facts: [{ name: 'registration', attributes: [] }],
    linked: [],
    events: [],
  };
}

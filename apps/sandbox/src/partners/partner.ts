/** An account at a sandbox partner. */
export interface Account {
  /** The partner's user id (`sub`). */
  sub: string;
  nickname: string;
}

/** The data that a partner stores about its client, the service (specification, Client). */
export interface Client {
  client_id: string;
  client_secret: string;
  redirect_url: string;
}

/** How a partner sends events: URL, platform and key. */
export interface Sending {
  send_event_url: string;
  platform: string;
  event_api_key: string;
}

/** A one-time code and the data for which it was issued. */
export interface Grant {
  sub: string;
  redirect_uri: string;
  /** Unix ms. */
  expires_at: number;
  code_challenge?: string;
}

/** A token pair. */
export interface Tokens {
  sub: string;
  access_token: string;
  refresh_token: string;
  /** Unix ms. */
  access_expires_at: number;
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
export interface Partner {
  name: string;
  client: Client | null;
  sending: Sending | null;
  /** Facts that an account already has before it is linked; sent right after linking (specification, Flow rules 3). */
  initial_facts: { name: string; attributes: { name: string; value: string }[] }[];
  access_token_lifetime_s: number;
  accounts: Record<string, Account>;
  grants: Record<string, Grant>;
  tokens: Tokens[];
  linked: string[];
  events: QueuedEvent[];
}

/** A partner that is not configured yet. */
export function newPartner(name: string): Partner {
  return {
    name,
    client: null,
    sending: null,
    initial_facts: [{ name: 'registration', attributes: [] }],
    access_token_lifetime_s: 3600,
    accounts: {},
    grants: {},
    tokens: [],
    linked: [],
    events: [],
  };
}

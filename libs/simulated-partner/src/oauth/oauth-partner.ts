import { ModeName } from '../modes/modes';
import { ModeSelection } from './mode-selection';

/** An account at a partner. */
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

/** A one-time code and the data for which it was issued. */
export interface Grant {
  sub: string;
  redirect_uri: string;
  /** Unix ms. */
  expires_at: number;
  code_challenge?: string;
  /** The mode that was chosen at the log-in; it stays with the tokens. */
  mode?: ModeName;
}

/** A token pair. Pairs of one grant have one `family`; those of an earlier release have none. */
export interface Tokens {
  sub: string;
  access_token: string;
  refresh_token: string;
  /** Unix ms. */
  access_expires_at: number;
  family?: string;
  /** When the refresh token was exchanged for the next pair, Unix ms; absent while it is valid. */
  used_at?: number;
  mode?: ModeName;
}

/** What a partner's OAuth server remembers; it can be stored as JSON. */
export interface OAuthPartner {
  name: string;
  client: Client | null;
  access_token_lifetime_s: number;
  accounts: Record<string, Account>;
  grants: Record<string, Grant>;
  tokens: Tokens[];
  /** Absent in a partner that an earlier release stored. */
  modes?: ModeSelection[];
}

/** A partner without client, accounts and tokens. */
export function newOAuthPartner(name: string): OAuthPartner {
  return { name, client: null, access_token_lifetime_s: 3600, accounts: {}, grants: {}, tokens: [], modes: [] };
}

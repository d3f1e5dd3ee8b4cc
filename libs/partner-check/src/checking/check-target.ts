import { ClientAuth } from '../protocol/basic-authorization';

/** The partner's server and the client that it made for Podium. */
export interface CheckTarget {
  readonly authorizationUrl: string;
  /** Without a slash at its end; `/oauth2/token` and `/oauth2/userinfo` are below. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** While two client secrets are live: both, the current one first. */
  readonly liveSecrets?: readonly LiveSecret[];
  /** As registered at the partner. */
  readonly redirectUri: string;
  /** The scope to begin with; null for none. */
  readonly scope: string | null;
  /** The `iss` of its redirects (RFC 9207), if it is agreed. */
  readonly issuer?: string | null;
  /** How long the service waits for an answer, if it is agreed; else `serviceTimeoutMs`. */
  readonly timeoutMs?: number;
}

/** How long the service waits for an answer of a partner with which nothing else is agreed. */
export const serviceTimeoutMs = 5000;

/** How long the service waits, while a user links, for the exchange of the code and the user info together, whatever is agreed. */
export const linkingTimeMs = 12_000;

/** A client secret during a rotation. */
export interface LiveSecret {
  readonly which: 'current' | 'previous';
  /** Names it in the report. */
  readonly fingerprint: string;
  readonly secret: string;
}

/** How requests are formed; the check looks for the variation with which linking works. */
export interface Variation {
  readonly clientAuth: ClientAuth;
  readonly clientIdInBody: boolean;
  readonly pkce: boolean;
  readonly scope: string | null;
  readonly promptConsent: boolean;
}

/** Most log-ins that a person is asked for. */
export const logInsMax = 4;

/** One request of the check to the partner's server. */
export interface CheckRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Total time, from the name lookup to the last byte of the answer, ms. */
  readonly timeoutMs: number;
}

/** What came back. `fault` names what is wrong with an answer that cannot be read. */
export type CheckAnswer =
  | {
      readonly ok: true;
      readonly status: number;
      /** The first value of each header, by lower-case name; of WWW-Authenticate all values, joined by commas. */
      readonly headers: ReadonlyMap<string, string>;
      readonly body: Uint8Array;
    }
  | {
      readonly ok: false;
      /** The sender's own words, without text of the partner. */
      readonly reason: string;
      readonly fault?: 'compressed' | 'size' | 'http';
      readonly status?: number;
    };

/**
 * Sends the check's requests: no redirects are followed, identity encoding, at most 64 KB of an answer. What forbids addresses
 * is the transport's own rule. Throws only to end the check.
 */
export interface CheckTransport {
  send(request: CheckRequest): Promise<CheckAnswer>;
}

/** One log-in that a person does in a browser. */
export interface LogIn {
  /** From 1. */
  readonly number: number;
  /** Why it is needed, for the person. */
  readonly purpose: string;
  readonly url: string;
  /** Comes back with the redirect, if the partner's server does it right. */
  readonly state: string;
}

/** The end of a log-in: the query of the redirect, with or without its question mark, or nothing in time. */
export type LogInReturn = { readonly returned: true; readonly query: string } | { readonly returned: false };

/** Brings a person to the partner's authorization page and back. */
export interface CheckBrowser {
  logIn(logIn: LogIn): Promise<LogInReturn>;
}

/** What the check stands on. */
export interface CheckPorts {
  readonly transport: CheckTransport;
  readonly browser: CheckBrowser;
  readonly nowMs: () => number;
  /** Of one request; when it is absent 15 s or as long as the service waits, so that a late answer is seen and reported. */
  readonly timeoutMs?: number;
  /**
   * Whether replays of this account's codes and refresh tokens would harm: a server that detects them may end all grants of the
   * account with this client, an existing link's too.
   */
  readonly isAccountInUse: (sub: string) => Promise<boolean>;
}

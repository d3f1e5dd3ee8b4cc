/** The groups of cases, in the order in which people read them. */
export const modeGroups = {
  token_body: 'Token body',
  status_and_shape: 'Status and shape',
  transport: 'Transport',
  refresh: 'Refresh',
  redirect: 'Redirect to the service',
  user_info: 'User info',
} as const;

export type ModeGroup = keyof typeof modeGroups;

/** What a partner does for the service, and where a mode can therefore have its effect. */
export const partnerOperations = ['redirect', 'exchange', 'refresh', 'user_info'] as const;

export type PartnerOperation = (typeof partnerOperations)[number];

/** An HTTP answer, before it is written. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** How an answer gets onto the connection. */
export type Delivery =
  | { readonly kind: 'whole' }
  /** Nothing is written, and the connection stays open. */
  | { readonly kind: 'nothing' }
  /** The headers arrive, the body never does. */
  | { readonly kind: 'headers_only' }
  /** The connection is reset before the first byte. */
  | { readonly kind: 'reset' }
  /** The connection is reset after the headers and a part of the body. */
  | { readonly kind: 'reset_in_body' }
  /** The body ends early and the connection is closed, with a Content-Length of the whole body or none at all. */
  | { readonly kind: 'cut'; readonly announced: boolean }
  /** Content-Length is `lessBytes` smaller than the body that follows. */
  | { readonly kind: 'length_too_small'; readonly lessBytes: number }
  /** One byte of the status line, the headers and the body every `everyMs`. */
  | { readonly kind: 'slow_headers'; readonly everyMs: number }
  /** The headers at once, then one byte of the body every `everyMs`. */
  | { readonly kind: 'drip'; readonly everyMs: number }
  /** The headers, then `mebibytes` of blanks, then the body. */
  | { readonly kind: 'padded'; readonly mebibytes: number }
  /** Bytes that are not HTTP. */
  | { readonly kind: 'not_http' };

/** How a partner treats refresh tokens. */
export interface GrantPolicy {
  /** What an answer to a refresh has as `refresh_token`: another one, the same, or none. Only `new` rotates. */
  readonly refreshToken: 'new' | 'same' | 'absent';
  /** What it has as `access_token`: another one, or the same, which then lives no longer than before. */
  readonly accessToken: 'new' | 'same';
  /** When a token that was rotated is sent again: it is refused, or its grant ends. */
  readonly reuse: 'refused' | 'ends_grant';
  /** Seconds in which a token that was rotated may be sent again, and gets the same answer as before. */
  readonly graceS: number;
  /** Whether refresh tokens have expired by the time they are sent. */
  readonly expired: boolean;
}

/** What a server's connections are like, before any HTTP; such a server needs a listener of its own. */
export type ListenerKind =
  'refused' | 'silent_tls' | 'tls_expired' | 'tls_wrong_host' | 'tls_self_signed' | 'name_unknown' | 'name_changes';

/** The address that a redirect comes back to, and what the partner knows of itself. */
export interface RedirectContext {
  /** The partner's base URL, its identifier as an issuer (RFC 9207). */
  readonly issuer: string;
}

/**
 * One deviation of a partner from the specification, or one of the variants that it allows.
 * `answer`: another answer, or another way to write it. `grants`: other rules for refresh tokens. `redirect`: other
 * parameters for the service's redirect URL. `listener`: a connection that fails before HTTP.
 */
export type Mode = {
  readonly group: ModeGroup;
  /** What the partner does, as a phrase for the sandbox's page and for reports. */
  readonly summary: string;
} & (
  | {
      readonly kind: 'answer';
      readonly at: readonly Exclude<PartnerOperation, 'redirect'>[];
      /** Whether the request does its work (a code is used, a token is rotated) before its answer is replaced. */
      readonly takesEffect: boolean;
      readonly answer: (normal: Answer, place: { readonly url: string }) => Answer;
      readonly delivery: Delivery;
    }
  | { readonly kind: 'grants'; readonly at: readonly ['refresh']; readonly policy: GrantPolicy }
  | {
      readonly kind: 'redirect';
      readonly at: readonly ['redirect'];
      readonly change: (query: URLSearchParams, context: RedirectContext) => void;
    }
  | { readonly kind: 'listener'; readonly at: readonly ['exchange']; readonly listener: ListenerKind }
);

/** A table of modes by name. */
export type ModeTable = Readonly<Record<string, Mode>>;

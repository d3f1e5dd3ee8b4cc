/** A user who links, authenticated by the session of /connect or by a program's token. */
export interface LinkingUser {
  readonly userId: string;
  /** Null for a program's token, which the partner's redirect does not carry. */
  readonly sessionId: string | null;
}

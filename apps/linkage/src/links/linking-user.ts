import { secretHash } from './authorization-url';

/** Who links: a user of the service, with the session of /connect or with a program's token. */
export interface LinkingUser {
  readonly userId: string;
  /** Null for a program's token, which the partner's redirect does not carry. */
  readonly sessionId: string | null;
}

/** What a flow is bound to beside its browser. */
export function sessionHashOf(user: LinkingUser): Buffer {
  return secretHash(user.sessionId === null ? `token:${user.userId}` : `session:${user.sessionId}`);
}

/**
 * Whether a callback's session may finish a flow: the very session that began it; a flow that a program began needs none,
 * but not another user's.
 */
export function maySessionFinish(flow: { userId: string; sessionHash: Buffer }, session: LinkingUser | null): boolean {
  if (session !== null && session.userId !== flow.userId) return false;
  const byProgram = sessionHashOf({ userId: flow.userId, sessionId: null }).equals(flow.sessionHash);
  return byProgram || (session !== null && sessionHashOf(session).equals(flow.sessionHash));
}

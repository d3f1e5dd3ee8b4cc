import { LinkingUser } from '../browser/linking-user';
import { secretHash } from './authorization-url';

/** The session to which a flow is bound in addition to its browser. */
export function sessionHashOf(user: LinkingUser): Buffer {
  return secretHash(user.sessionId === null ? `token:${user.userId}` : `session:${user.sessionId}`);
}

/**
 * Whether a callback's session may finish a flow: only the session that began it. A flow that a program began needs no
 * session, but refuses that of another user.
 */
export function maySessionFinish(flow: { userId: string; sessionHash: Buffer }, session: LinkingUser | null): boolean {
  if (session !== null && session.userId !== flow.userId) return false;
  const byProgram = sessionHashOf({ userId: flow.userId, sessionId: null }).equals(flow.sessionHash);
  return byProgram || (session !== null && sessionHashOf(session).equals(flow.sessionHash));
}

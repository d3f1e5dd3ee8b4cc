import { CodedError } from '@podium/messages';
import { JWTPayload } from 'jose';

/** What an operator may do: `viewer` reads, `editor` changes, `admin` also manages keys and integrations. */
export type OperatorRole = 'viewer' | 'editor' | 'admin';

/** An operator as the token describes them: a role per organizer; organizer `*` is all. */
export interface Operator {
  readonly operatorId: string;
  readonly roles: ReadonlyMap<string, OperatorRole>;
}

const rank: Record<OperatorRole, number> = { viewer: 1, editor: 2, admin: 3 };

/** Reads the claim `podium_roles` (`{"<organizer id or *>":"viewer|editor|admin"}`); a token without it is not an operator's. */
export function operatorOf(claims: JWTPayload & { sub: string }): Operator {
  const roles = new Map<string, OperatorRole>();
  const claim = claims.podium_roles;
  if (typeof claim === 'object' && claim !== null)
    for (const [organizer, role] of Object.entries(claim))
      if (role === 'viewer' || role === 'editor' || role === 'admin') roles.set(organizer, role);
  if (roles.size === 0) throw new CodedError('forbidden', { internal: 'the token has no podium_roles' });
  return { operatorId: claims.sub, roles };
}

/** Whether the operator holds at least the role for the organizer. */
export function mayActFor(operator: Operator, organizerId: string, role: OperatorRole): boolean {
  const held = [operator.roles.get(organizerId), operator.roles.get('*')];
  return held.some((candidate) => candidate !== undefined && rank[candidate] >= rank[role]);
}

/** Throws `forbidden` unless the operator holds at least the role for the organizer. */
export function requireRole(operator: Operator, organizerId: string, role: OperatorRole): void {
  if (!mayActFor(operator, organizerId, role)) throw new CodedError('forbidden');
}

/** The organizers an operator may see, or `all`. */
export function visibleOrganizers(operator: Operator): 'all' | string[] {
  return operator.roles.has('*') ? 'all' : [...operator.roles.keys()];
}

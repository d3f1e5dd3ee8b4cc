import { CodedError } from '@podium/messages';
import { JWTPayload } from 'jose';

/**
 * What an operator may do: `viewer` reads, `editor` changes, `admin` also manages keys and integrations, `approver` reads and
 * approves what another operator wrote or published. An admin is no approver, unless that role is given too.
 */
export type OperatorRole = 'viewer' | 'editor' | 'admin' | 'approver';

/** An operator as the token describes them: roles per organizer; organizer `*` is all. */
export interface Operator {
  readonly operatorId: string;
  readonly roles: ReadonlyMap<string, readonly OperatorRole[]>;
}

/** The roles whose rights each role includes. */
const included: Readonly<Record<OperatorRole, readonly OperatorRole[]>> = {
  viewer: ['viewer'],
  editor: ['viewer', 'editor'],
  admin: ['viewer', 'editor', 'admin'],
  approver: ['viewer', 'approver'],
};

/**
 * Reads the claim `podium_roles` (`{"<organizer id or *>":"editor"}`, several roles as a list); a token without it is not an
 * operator's.
 */
export function operatorOf(claims: JWTPayload & { sub: string }): Operator {
  const roles = new Map<string, readonly OperatorRole[]>();
  const claim = claims.podium_roles;
  if (typeof claim === 'object' && claim !== null)
    for (const [organizer, given] of Object.entries(claim)) {
      const known = [given as unknown].flat().filter(isRole);
      if (known.length > 0) roles.set(organizer, known);
    }
  if (roles.size === 0) throw new CodedError('forbidden', { internal: 'the token has no podium_roles' });
  return { operatorId: claims.sub, roles };
}

/** Whether the operator holds the role for the organizer, or one that includes it. */
export function mayActFor(operator: Operator, organizerId: string, role: OperatorRole): boolean {
  const held = [organizerId, '*'].flatMap((organizer) => operator.roles.get(organizer) ?? []);
  return held.some((candidate) => included[candidate].includes(role));
}

/** Throws `forbidden` unless the operator holds the role for the organizer, or one that includes it. */
export function requireRole(operator: Operator, organizerId: string, role: OperatorRole): void {
  if (mayActFor(operator, organizerId, role)) return;
  const rest = role === 'approver' ? ', which admin does not include. Ask an approver to do it.' : '.';
  throw new CodedError('forbidden', { message: `This needs the role ${role} for the organizer${rest}` });
}

/** The organizers an operator may see, or `all`. */
export function visibleOrganizers(operator: Operator): 'all' | string[] {
  return operator.roles.has('*') ? 'all' : [...operator.roles.keys()];
}

function isRole(given: unknown): given is OperatorRole {
  return typeof given === 'string' && Object.hasOwn(included, given);
}

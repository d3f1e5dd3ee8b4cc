import * as fs from 'node:fs';
import * as path from 'node:path';

/** An operation of the operators' API. */
export interface OperatorRoute {
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  /** Names of the parameters in path and query. */
  readonly parameters: readonly string[];
  /** The role that the document demands; of some the summary alone says who may call them. */
  readonly role: OperatorRole | undefined;
}

const roles = ['viewer', 'editor', 'admin', 'approver'] as const;
type OperatorRole = (typeof roles)[number];

/** The roles with which an operation that demands a role is refused. */
export function tooLittleFor(role: OperatorRole): readonly OperatorRole[] {
  const enough: Readonly<Record<OperatorRole, readonly OperatorRole[]>> = {
    viewer: roles,
    editor: ['editor', 'admin'],
    admin: ['admin'],
    approver: ['approver'],
  };
  return roles.filter((each) => !enough[role].includes(each));
}

/** All operations of the operators' OpenAPI document, by id. */
export function operatorRoutes(): ReadonlyMap<string, OperatorRoute> {
  const file = path.join(__dirname, '../../../docs/openapi/operators.json');
  const { paths } = JSON.parse(fs.readFileSync(file, 'utf8')) as {
    paths: Record<string, Record<string, DescribedOperation>>;
  };
  return new Map(
    Object.entries(paths).flatMap(([route, methods]) =>
      Object.entries(methods).map(([method, { operationId, ...operation }]): [string, OperatorRoute] => [
        operationId,
        {
          ...{ method: method.toUpperCase(), path: route, role: roleIn(operation) },
          parameters: (operation.parameters ?? []).map(({ name }) => name),
        },
      ]),
    ),
  );
}

interface DescribedOperation {
  readonly operationId: string;
  readonly description?: string;
  readonly parameters?: readonly { readonly name: string }[];
}

function roleIn({ description = '' }: Pick<DescribedOperation, 'description'>): OperatorRole | undefined {
  return roles.find((role) => new RegExp(`\\b[Rr]ole ${role}\\b`).test(description));
}

/** Who calls: a name, and roles by organizer. */
export interface OperatorCaller {
  readonly operatorId: string;
  readonly roles: Readonly<Record<string, string | readonly string[]>>;
}

/** The ways in which an operator may be one of an organizer; the last one has every role. */
export const roleSets: readonly (readonly string[])[] = [
  ['viewer'],
  ['editor'],
  ['admin'],
  ['approver'],
  ['viewer', 'editor', 'admin', 'approver'],
];

/** An operator of an organizer. */
export function callerOf({ organizerId }: { readonly organizerId: string }, roles: readonly string[]): OperatorCaller {
  return { operatorId: `operator-of-${organizerId}`, roles: { [organizerId]: roles } };
}

import * as fs from 'node:fs';
import * as path from 'node:path';

/** An operation of the operators' API. */
export interface OperatorRoute {
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  /** Names of the parameters in path and query. */
  readonly parameters: readonly string[];
}

/** All operations of the operators' OpenAPI document, by id. */
export function operatorRoutes(): ReadonlyMap<string, OperatorRoute> {
  const file = path.join(__dirname, '../../../docs/openapi/operators.json');
  const { paths } = JSON.parse(fs.readFileSync(file, 'utf8')) as {
    paths: Record<string, Record<string, { operationId: string; parameters?: { name: string }[] }>>;
  };
  return new Map(
    Object.entries(paths).flatMap(([route, methods]) =>
      Object.entries(methods).map(([method, { operationId, parameters = [] }]): [string, OperatorRoute] => [
        operationId,
        { method: method.toUpperCase(), path: route, parameters: parameters.map(({ name }) => name) },
      ]),
    ),
  );
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

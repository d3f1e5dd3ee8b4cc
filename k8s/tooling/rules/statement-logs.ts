import { CheckResult } from '../checks/check-list';
import { Overlay, nameOf, ofKind } from '../checks/overlays';
import { Manifest } from '../generators/yaml-file';

/**
 * Settings with which Postgres logs the values of a statement: -1, its default beside a slow statement, is all of them, 0 is none. They
 * are data of users, which an erasure does not reach in a log.
 */
const valueSettings: readonly { readonly name: string; readonly byDefault: string }[] = [
  { name: 'log_parameter_max_length', byDefault: '-1' },
  { name: 'log_parameter_max_length_on_error', byDefault: '0' },
];

/** Postgres logs slow statements without their values. */
export function statementLogs(overlays: readonly Overlay[]): CheckResult {
  const problems = overlays.flatMap((overlay) =>
    ofKind(overlay, 'Cluster').flatMap((cluster) =>
      valueSettings
        .filter(({ name, byDefault }) => (parametersOf(cluster)[name] ?? byDefault) !== '0')
        .map(({ name }) => `${overlay.name}: ${nameOf(cluster)} logs the values of statements: ${name} is not 0`),
    ),
  );
  return { detail: 'no values of statements', problems };
}

function parametersOf({ spec }: Manifest): Readonly<Record<string, string>> {
  const { postgresql } = spec as { postgresql?: { parameters?: Record<string, string> } };
  return postgresql?.parameters ?? {};
}

import { errorMessage } from '@podium/runtime/errors';
import { readConfig } from '../../../libs/runtime/src/config';
import { standIn } from '../stand-in';
import { CheckResult } from '../checks/check-list';
import { Overlay, nameOf, ofKind } from '../checks/overlays';
import { ServiceName } from '../services';
import { fieldsOf } from '../../../tools/generate/services';
import { credentialsFolder, fromThePod, kafkaConnectionFields } from '../settings';
import { Workload, environmentOf, servicesOf } from './workloads';

/** Variables of a container that the runtime reads and not the service. */
const ofTheRuntime = ['NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS'];

/** What a deployment sets for all; some services read one of them and others do not. */
const sharedMap = 'deployment';

/** Each service's own reader takes the environment that the manifests give it, and every name is one that it declares. */
export function configurations(overlays: readonly Overlay[]): CheckResult {
  const problems = overlays.flatMap((overlay) => [
    ...servicesOf(overlay).flatMap((service) =>
      problemsOf(service, overlay).map((problem) => `${overlay.name}: ${nameOf(service)}: ${problem}`),
    ),
    ...unknownShared(overlay),
  ]);
  return { detail: 'read by the services’ own reader in every overlay', problems };
}

function problemsOf(service: Workload, overlay: Overlay): string[] {
  const name = service.metadata.name as ServiceName;
  const fields = fieldsOf(name);
  const container = service.spec.template.spec.containers[0];
  const given = environmentOf(overlay, container);
  const env: Record<string, string> = { ...given, [fromThePod]: 'pod' };
  const problems: string[] = [];
  const files = filesOf(service, overlay);
  for (const [field, declared] of Object.entries(fields).filter(([, { secret }]) => secret)) {
    const path = env[`${field}_FILE`];
    delete env[`${field}_FILE`];
    if (path === undefined) continue;
    if (!files.has(path)) problems.push(`no secret brings the file ${path}`);
    env[field] = standIn(declared, files.get(path) ?? '');
  }
  for (const field of kafkaConnectionFields)
    if (!(field in fields)) problems.push(`${field} is no field that it declares`);
  const own = Object.keys(ownMap(container, overlay)).map((key) => (fields[key] ? key : key.replace(/_FILE$/, '')));
  for (const key of own) if (!fields[key]) problems.push(`${key} is set and no field that it declares`);
  try {
    const config: Readonly<Record<string, unknown>> = readConfig(fields, env);
    const expected = overlay.name === 'production' ? 'production' : 'test';
    if (config.ENVIRONMENT !== expected) problems.push(`ENVIRONMENT is ${String(config.ENVIRONMENT)}`);
  } catch (error) {
    problems.push(errorMessage(error));
  }
  return problems;
}

function ownMap(
  container: Workload['spec']['template']['spec']['containers'][0],
  overlay: Overlay,
): Record<string, string> {
  const envFrom = container.envFrom?.filter(({ configMapRef }) => !configMapRef?.name.startsWith(`${sharedMap}-`));
  const env = container.env?.filter(({ name }) => !ofTheRuntime.includes(name));
  return environmentOf(overlay, { ...container, envFrom, env });
}

/** Paths that secrets of the pod appear at, with their text or the template of it. */
function filesOf({ spec }: Workload, overlay: Overlay): ReadonlyMap<string, string> {
  const sources = spec.template.spec.volumes?.flatMap(({ projected }) => projected?.sources ?? []) ?? [];
  return new Map(
    sources.flatMap(({ secret }) => {
      if (!secret) return [];
      const texts = textsOf(secret.name, overlay);
      const items = secret.items ?? Object.keys(texts).map((key) => ({ key, path: key }));
      return items.map(({ key, path }) => [`${credentialsFolder}/${path}`, texts[key] ?? ''] as const);
    }),
  );
}

/** What a secret holds that the overlay makes, by itself or, as templates, from outside. */
function textsOf(name: string, overlay: Overlay): Record<string, string> {
  const secret = ofKind(overlay, 'Secret').find(({ metadata }) => metadata.name === name);
  const external = ofKind(overlay, 'ExternalSecret').find(({ metadata }) => metadata.name === name);
  const template = external?.spec as { target: { template: { data: Record<string, string> } } } | undefined;
  const made = Object.entries((secret?.data as Record<string, string> | undefined) ?? {});
  const decoded = made.map(([key, text]) => [key, Buffer.from(text, 'base64').toString().trim()] as const);
  return { ...template?.target.template.data, ...Object.fromEntries(decoded) };
}

/** A name in deployment.env that no service reads is a slip of the pen. */
function unknownShared(overlay: Overlay): string[] {
  const names = servicesOf(overlay).map(({ metadata }) => metadata.name as ServiceName);
  const known = new Set(names.flatMap((service) => Object.keys(fieldsOf(service))));
  const ofSandbox = (key: string): boolean => overlay.name === 'local' && key.startsWith('SANDBOX_');
  return ofKind(overlay, 'ConfigMap')
    .filter(({ metadata }) => metadata.name.startsWith(`${sharedMap}-`))
    .flatMap(({ data }) => Object.keys(data as Record<string, string>))
    .filter((key) => !known.has(key) && !ofSandbox(key))
    .map((key) => `${overlay.name}: deployment.env sets ${key}, which no service declares`);
}

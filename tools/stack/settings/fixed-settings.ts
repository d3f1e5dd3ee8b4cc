import { StackAddresses } from '../infrastructure';
import { PortName, portOffsets } from '../ports';
import { StackSecrets } from '../secrets';
import { ServiceEnvironmentInput, serviceEnvironment } from '../service-env';
import { services } from '../services';
import { brokerCredentials, stackFields } from './stack-fields';

/** Settings with a default of the stack, which the user may override. All others that it sets are fixed. */
const proposed: ReadonlySet<string> = new Set([
  'LOG_LEVEL',
  'DRAIN_SECONDS',
  'OIDC_CLIENT_ID',
  'OIDC_LOG_OUT',
  'OIDC_AUDIENCE',
  'TEST_EGRESS_ADDRESSES',
  'PRODUCTION_PUBLIC_URL',
  'RATE_LIMIT_MIN_INSTANCES',
]);

/** Lists to which the stack adds its own entries. */
export const combinedSettings: ReadonlySet<string> = new Set(['PARTNER_ADDRESS_ALLOW_LIST']);

const movePorts = 'move all ports by PORT_BASE';

/** Why the stack fixes a setting, and the alternative to removing it; the first match applies. */
const reasons: readonly (readonly [names: RegExp, reason: string, otherwise?: string])[] = [
  [/^ENVIRONMENT$/, 'the local stack is always a test deployment'],
  [/^(HTTP_HOST|HTTP_PORT|HEALTH_PORT)$/, 'the local stack gives each service its ports on 127.0.0.1', movePorts],
  [/_REDIS_URL(_FILE)?$/, 'the local stack has one Redis for rates and marks', 'name another one by REDIS_URL'],
  [/_URLS?$/, 'the local stack fills in where it starts its parts', movePorts],
  [/(TOKEN|SECRET|KEYS)(_FILE)?$/, 'the local stack makes its own secrets and keeps them in its folder'],
  [/^STOP_SECONDS$/, 'the local stack kills what has not stopped after 20 s'],
  [/^KAFKA_/, 'the Kafka that the local stack starts accepts all clients', 'name other brokers by KAFKA_BROKERS'],
  [/./, 'the local stack sets it itself'],
];

/** Why the user cannot change this setting and what to do, as the rest of a sentence; undefined when they can. */
export function whyFixed(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const isSet = fixedNames.has(name) || fixedNames.has(name.replace(/_FILE$/, ''));
  if (!isSet && !(brokerCredentials.includes(name) && !env.KAFKA_BROKERS)) return undefined;
  const [, reason, otherwise] = reasons.find(([names]) => names.test(name)) ?? [];
  return `because ${reason}: remove it${otherwise === undefined ? '' : `, or ${otherwise}`}`;
}

/** Whether a value equals the stack's own, so that there is no contradiction. */
export function isAsFixed(name: string, value: string, portBase: number): boolean {
  const values = preview(portBase).flatMap((env) => env[name] ?? []);
  return values.length > 0 && values.every((each) => each === value);
}

/** The stack's values for the first instance of each app, without its secrets and the addresses of its servers. */
function preview(portBase: number): Record<string, string | undefined>[] {
  const portOf = (name: PortName): number => portBase + portOffsets[name];
  const input: ServiceEnvironmentInput = {
    addresses: { database_url: 'postgres://127.0.0.1' } as StackAddresses,
    secrets: { rolePasswords: {} } as StackSecrets,
    urls: Object.fromEntries(services.map(({ name, port }) => [name, [`http://127.0.0.1:${portOf(port)}`]])),
    dataFolder: '',
  };
  return services.map((row) => {
    const ports = { port: portOf(row.port), healthPort: portOf(row.healthPort) };
    return serviceEnvironment(row, { name: `${row.name}-1`, host: '127.0.0.1', ...ports }, input);
  });
}

const fixedNames: ReadonlySet<string> = new Set(
  preview(1024)
    .flatMap((env) => Object.keys(env))
    .filter((name) => !proposed.has(name) && !combinedSettings.has(name) && !(name in stackFields)),
);

import { errorMessage } from '@podium/runtime/errors';
import { queryable } from '@podium/runtime/postgres';
import { parseUrl } from '@podium/runtime/url';
import { Command } from 'commander';
import { brokerAddresses, databaseAddress, localStack } from '../cli/server-addresses';
import { outputOf } from '../cli/command-context';
import { connectKafka, withBrokers, withPostgres } from '../cli/server-connections';
import { AttentionError } from '../cli/attention-error';
import { CliEnvironment, topicRowsOf } from '../cli/cli-environment';
import { UsageError } from '../cli/usage-error';
import { edgeStatus, instanceStatuses } from './instances';
import { kafkaStatuses } from './kafka';
import { PartStatus } from './part';
import { postgresStatuses } from './postgres';

interface StatusOptions {
  brokers?: string;
  url?: string;
  health?: ReadonlyMap<string, string>;
}

/** `status` */
export function statusCommand(environment: CliEnvironment): Command {
  return withBrokers(
    new Command('status').description(
      'health of edge, instances, Kafka, consumer groups, schemas and outboxes; exit code 1 when something needs attention',
    ),
  )
    .option('--health <name=address>', "an instance's health address; repeatable", addInstance)
    .addHelpText(
      'after',
      `
What has no address is shown as unknown: --url or PODIUM_URL, --health or
PODIUM_HEALTH (comma-separated), --brokers or KAFKA_BROKERS, DATABASE_URL; by default
all parts of the local stack, which npm start runs.

Examples:
  $ npm run podium -- status
  $ npm run podium -- status --health gateway=http://127.0.0.1:9090`,
    )
    .action(async (_options: object, command: Command) => {
      const output = outputOf(command, environment);
      const parts = await allParts(command.optsWithGlobals<StatusOptions>(), environment);
      output.showAll(parts as unknown as Record<string, unknown>[], ['part', 'state', 'detail'], undefined, 120);
      const troubled = parts.filter(({ state }) => state === 'attention').map(({ part }) => part);
      if (troubled.length > 0) throw new AttentionError(`Needs attention: ${troubled.join(', ')}.`);
    });
}

const nothingToCheck = `No local stack is running: run npm start.
To check another deployment, give --url, --health, --brokers or DATABASE_URL; status --help explains them.`;

async function allParts(options: StatusOptions, environment: CliEnvironment): Promise<PartStatus[]> {
  const { env } = environment;
  const local = localStack(env);
  const url = options.url ?? env.PODIUM_URL ?? local?.gateway_url;
  const brokers = options.brokers ?? env.KAFKA_BROKERS;
  const given = [url, options.health, env.PODIUM_HEALTH, brokers, env.DATABASE_URL];
  if (local === null && given.every((address) => address === undefined)) throw new UsageError(nothingToCheck);
  const instances = options.health ?? instancesOf(env.PODIUM_HEALTH, local?.services ?? {});
  return [
    url === undefined ? unknown('edge', '--url') : await edgeStatus(url),
    ...(instances.size === 0 ? [unknown('instances', '--health')] : await instanceStatuses(instances)),
    ...(brokerAddresses(options, env)
      ? await reached('kafka', () => kafkaStatuses(connectKafka(options, env), topicRowsOf(environment)))
      : [unknown('kafka', '--brokers')]),
    ...(databaseAddress(env)
      ? await reached('postgres', () => withPostgres(env, (pool) => postgresStatuses(queryable(pool))))
      : [unknown('postgres', 'DATABASE_URL')]),
  ];
}

function instancesOf(
  variable: string | undefined,
  services: Record<string, { health_url: string }>,
): ReadonlyMap<string, string> {
  if (!variable) return new Map(Object.entries(services).map(([name, { health_url }]) => [name, health_url]));
  let instances: ReadonlyMap<string, string> = new Map();
  for (const text of variable.split(',')) instances = addInstance(text, instances);
  return instances;
}

/** Parts of a server, a single one when it is unreachable; throws `UsageError` for an address that is none. */
async function reached(part: string, ask: () => Promise<PartStatus[]>): Promise<PartStatus[]> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    return [{ part, state: 'attention', detail: errorMessage(error) }];
  }
}

function unknown(part: string, means: string): PartStatus {
  return { part, state: 'unknown', detail: `not checked: give ${means}, or run npm start for a local stack` };
}

function addInstance(text: string, before: ReadonlyMap<string, string> = new Map()): ReadonlyMap<string, string> {
  const at = text.indexOf('=');
  const url = text.slice(at + 1);
  if (at < 1 || parseUrl(url) === null)
    throw new UsageError(`--health ${text}: must be a name and an address, such as gateway=http://127.0.0.1:9090.`);
  return new Map([...before, [text.slice(0, at), url.replace(/\/+$/, '')]]);
}

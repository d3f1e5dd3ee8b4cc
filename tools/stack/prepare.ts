import * as path from 'node:path';
import { checkoutFolder } from './folders';
import { Infrastructure } from './infrastructure';
import { Progress } from './progress';
import { databaseRoles } from './secrets';
import { runTool } from './server-process';

/** Brings the database to this checkout's schema and gives each service's role its password. */
export async function migrate(infrastructure: Infrastructure, progress: Progress): Promise<void> {
  const { database_url } = infrastructure.addresses;
  const { rolePasswords } = infrastructure.secrets;
  const passwords = databaseRoles.map((role) => [
    `MIGRATE_ROLE_PASSWORD_${role.toUpperCase().replaceAll('-', '_')}`,
    rolePasswords[role],
  ]);
  await progress.step('Migrations', () =>
    runOperator(infrastructure, 'migrate', { DATABASE_URL: database_url, ...Object.fromEntries(passwords) }),
  );
}

/** Creates the topics, which brokers do not make by themselves; three brokers have three replicas, two of them in sync. */
export async function createTopics(infrastructure: Infrastructure, progress: Progress): Promise<void> {
  const { kafka_brokers } = infrastructure.addresses;
  const safety =
    infrastructure.kafka?.brokers.length === 3
      ? { TOPIC_REPLICATION_FACTOR: '3', TOPIC_MIN_INSYNC_REPLICAS: '2' }
      : undefined;
  await progress.step('Topics', () =>
    runOperator(infrastructure, 'topics', { KAFKA_BROKERS: kafka_brokers, ...safety }),
  );
}

/** Runs a command of the operators' command line with these variables added to the environment. */
async function runOperator(infrastructure: Infrastructure, name: string, env: NodeJS.ProcessEnv): Promise<void> {
  await runTool({
    name: `npm run ${name}`,
    command: process.execPath,
    args: ['-r', '@swc-node/register', 'apps/operator/src/main.ts', name],
    cwd: checkoutFolder,
    env: { ...infrastructure.environment, ...env },
    logPath: path.join(infrastructure.folders.logs, `${name}.log`),
  });
}

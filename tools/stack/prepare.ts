import * as fs from 'node:fs';
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
    runScript(infrastructure, 'migrate', { DATABASE_URL: database_url, ...Object.fromEntries(passwords) }),
  );
}

/** Creates the topics, which brokers do not make by themselves; three brokers keep three copies, two of them in sync. */
export async function createTopics(infrastructure: Infrastructure, progress: Progress): Promise<void> {
  const { kafka_brokers } = infrastructure.addresses;
  const safety =
    infrastructure.kafka?.brokers.length === 3
      ? { TOPIC_REPLICATION_FACTOR: '3', TOPIC_MIN_INSYNC_REPLICAS: '2' }
      : undefined;
  await progress.step('Topics', () => runScript(infrastructure, 'topics', { KAFKA_BROKERS: kafka_brokers, ...safety }));
}

/** Runs `tools/<name>/<name>.ts` with these variables added to the environment. */
async function runScript(infrastructure: Infrastructure, name: string, env: NodeJS.ProcessEnv): Promise<void> {
  const script = path.join('tools', name, `${name}.ts`);
  if (!fs.existsSync(path.join(checkoutFolder, script))) return;
  await runTool({
    name: script,
    command: process.execPath,
    args: ['-r', '@swc-node/register', script],
    cwd: checkoutFolder,
    env: { ...infrastructure.environment, ...env },
    logPath: path.join(infrastructure.folders.logs, `${name}.log`),
  });
}

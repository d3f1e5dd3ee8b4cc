import * as fs from 'node:fs';
import * as path from 'node:path';
import { StackFailure } from './failure';
import { checkoutFolder } from './folders';
import { Infrastructure } from './infrastructure';
import { RunningServices } from './running-services';
import { runTool } from './server-process';

/** What the seed adds to `stack.json`: the demo's platform, keys, users and task, and names in its competition world. */
export type SeedResult = Readonly<Record<string, unknown>>;

/** Publishes the demo's small competition world; existing data is not written again. */
export async function seedCompetition(infrastructure: Infrastructure): Promise<void> {
  const script = 'tools/competition/generate.ts';
  const { folders, addresses } = infrastructure;
  await runTool({
    name: script,
    command: process.execPath,
    args: ['-r', '@swc-node/register', script, '--players', '200', '--seed', '1', '--publish'],
    cwd: checkoutFolder,
    env: { ...infrastructure.environment, KAFKA_BROKERS: addresses.kafka_brokers },
    logPath: path.join(folders.logs, 'generate.log'),
  });
}

/** Runs `tools/seed/seed.ts`, which makes the demo through the public API and prints one JSON object to standard output. */
export async function seedDemo(infrastructure: Infrastructure, services: RunningServices): Promise<SeedResult> {
  const script = 'tools/seed/seed.ts';
  const { folders } = infrastructure;
  const file = path.join(folders.root, 'seed.json');
  await runTool({
    name: script,
    command: process.execPath,
    args: ['-r', '@swc-node/register', script],
    cwd: checkoutFolder,
    env: {
      ...process.env,
      GATEWAY_URL: services.publicUrl,
      SANDBOX_URL: services.first('sandbox').url,
      SEED_FILE: path.join(folders.data, 'seed.json'),
    },
    logPath: path.join(folders.logs, 'seed.log'),
    output: { file },
  });
  const text = fs.readFileSync(file, 'utf8');
  fs.rmSync(file);
  try {
    return JSON.parse(text) as SeedResult;
  } catch {
    throw new StackFailure(`${script} must print one JSON object to standard output; it printed:`, text.slice(0, 1000));
  }
}

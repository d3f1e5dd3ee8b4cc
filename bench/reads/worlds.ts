import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { checkoutFolder } from '../../tools/stack/folders';
import { runTool } from '../../tools/stack/server-process';
import { WholeStack } from '../../tools/stack/whole-stack';
import { WorldSize } from './options';

/** Generates a world and loads it by COPY into the inactive set of tables, which then becomes the live one. */
export async function loadWorld(stack: WholeStack, { players, matches }: WorldSize): Promise<void> {
  await runGenerate(stack, ['--players', `${players}`, '--matches', `${matches}`, '--load']);
  await untilServed(stack);
}

/** Makes the smaller or the larger of two existing worlds the live one. */
export async function showWorld(stack: WholeStack, which: 'smaller' | 'larger'): Promise<void> {
  const client = new Client({ connectionString: stack.infrastructure.addresses.database_url });
  await client.connect();
  const { rows } = await client.query<{ set: string }>(
    `SELECT right(relname, 1) AS set FROM pg_class
     WHERE oid IN ('competition_read.documents_a'::regclass, 'competition_read.documents_b'::regclass)
     ORDER BY pg_table_size(oid)`,
  );
  await client.query('UPDATE competition_read.live_set SET live = $1', [rows[which === 'smaller' ? 0 : 1].set]);
  await client.end();
  await untilServed(stack);
}

async function runGenerate(stack: WholeStack, args: readonly string[]): Promise<void> {
  const { addresses, folders } = stack.infrastructure;
  await runTool({
    name: 'competition:generate',
    command: process.execPath,
    args: ['-r', '@swc-node/register', 'tools/competition/generate.ts', ...args],
    cwd: checkoutFolder,
    env: { ...process.env, DATABASE_URL: addresses.database_url, KAFKA_BROKERS: addresses.kafka_brokers },
    logPath: path.join(folders.logs, 'generate.log'),
  });
}

/**
 * Waits until the service has read the pointer to the live tables, which it does once a second. The checkpoint keeps the load's
 * writes out of the measurement.
 */
async function untilServed(stack: WholeStack): Promise<void> {
  const client = new Client({ connectionString: stack.infrastructure.addresses.database_url });
  await client.connect();
  await client.query('CHECKPOINT');
  await client.end();
  await sleep(2_500);
}

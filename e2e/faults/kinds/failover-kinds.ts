import { setTimeout as sleep } from 'node:timers/promises';
import { presentTimeline } from '@podium/runtime/postgres';
import { Client } from 'pg';
import { runPodium } from '../../../apps/operator/src/podium';
import { PostgresStandby } from '../../../tools/stack/postgres-standby';
import { withClient } from '../../../tools/stack/with-client';
import { FaultContext } from '../fault-context';
import { BegunFault, FaultKind } from './fault-kind';

const repairTimeoutMs = 120_000;

/** The primary of Postgres is killed, and a streaming standby takes over its role and address. */
export function failoverKinds(): FaultKind[] {
  return [
    {
      name: 'postgres-failover-synchronous',
      target: 'Postgres',
      breaks: 'the primary is killed (SIGKILL), and its synchronous standby is promoted and takes its address',
      begin: async (context, random): Promise<BegunFault> => {
        const standby = await PostgresStandby.of(context.servers.postgres);
        await standby.beSynchronous();
        await sleep(random.between(2_000, 5_000));
        await context.servers.postgres.kill();
        return {
          hit: 'Postgres',
          lastsMs: 0,
          end: () => standby.takeOver(),
          isRecovered: async () => (await closedOutboxes(context)).length === 0,
        };
      },
    },
    {
      name: 'postgres-failover-lagging',
      target: 'Postgres',
      breaks:
        'the primary is killed (SIGKILL), and a standby that lacks its last 2 to 5 s is promoted; linkage is repaired by podium failover repair',
      begin: async (context, random): Promise<BegunFault> => {
        const standby = await PostgresStandby.of(context.servers.postgres);
        await standby.stopReceiving();
        const lagMs = random.between(2_000, 5_000);
        await sleep(lagMs);
        await context.servers.postgres.kill();
        return {
          hit: `Postgres, ${(lagMs / 1000).toFixed(1)} s of commits lost`,
          lastsMs: 0,
          end: async () => {
            await standby.takeOver();
            await repairLinkage(context);
          },
          isRecovered: async () => (await closedOutboxes(context)).length === 0,
        };
      },
    },
  ];
}

/** Repairs linkage as an operator does once it reports lost commits. It retries, because another fault may be in effect. */
async function repairLinkage(context: FaultContext): Promise<void> {
  const { kafka_brokers, database_url } = context.stack.infrastructure.addresses;
  let problem = '';
  for (const endMs = Date.now() + repairTimeoutMs; ; await sleep(1_000)) {
    const code = await runPodium(['failover', 'repair', '--by', 'faults'], {
      env: { KAFKA_BROKERS: kafka_brokers, DATABASE_URL: database_url },
      readStdin: async () => '',
      out: () => undefined,
      err: (text) => (problem = text),
    });
    if (code === 0) return;
    if (Date.now() > endMs) throw new Error(`podium failover repair failed: ${problem}`);
  }
}

/** The services whose outbox is closed for writes. */
async function closedOutboxes({ servers }: FaultContext): Promise<string[]> {
  const closed = async (client: Client): Promise<string[]> => {
    const { rows } = await client.query<{ service: string }>(
      `SELECT 'linkage' AS service FROM linkage.outbox_timeline WHERE timeline <> ${presentTimeline}
       UNION ALL SELECT 'engagement' FROM engagement.outbox_timeline WHERE timeline <> ${presentTimeline}`,
    );
    return rows.map(({ service }) => service);
  };
  return withClient(servers.postgres.url, closed, { connectionTimeoutMillis: 3_000 });
}

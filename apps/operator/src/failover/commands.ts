import { userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { outboxSettleMs } from '@podium/runtime/outbox';
import { queryable } from '@podium/runtime/postgres';
import { outputOf } from '../cli/command-context';
import { connectKafka, withBrokers, withPostgres } from '../cli/servers';
import { CliEnvironment } from '../cli/cli-environment';
import { Publisher, describeLost, findLostOf, repairLinkage } from './lost-commits';

const reach = `
Services go on meanwhile. Kafka by --brokers or KAFKA_BROKERS, Postgres by DATABASE_URL as the role that owns the schemas; else
the local stack's.`;

const publishers: readonly Publisher[] = ['linkage', 'engagement'];

/** `failover …` */
export function failoverCommands(environment: CliEnvironment): Command {
  const group = new Command('failover').description(
    'after a failover of Postgres: what the promoted standby has lost of what was published, and its repair',
  );
  group.addCommand(statusCommand(environment));
  group.addCommand(repairCommand(environment));
  return group;
}

function statusCommand(environment: CliEnvironment): Command {
  return withBrokers(new Command('status').description('lists the commits that Postgres has lost and topics have'))
    .addHelpText('after', `\nExample:\n  $ npm run podium -- failover status\n${reach}`)
    .action(async (options: { brokers?: string }, command: Command) => {
      const output = outputOf(command, environment);
      const kafka = connectKafka(options, environment.env);
      const lost = await withPostgres(environment.env, async (pool) => {
        const found: Record<string, unknown>[] = [];
        for (const service of publishers) {
          const records = await findLostOf(pool, kafka, service);
          if (records) output.note(`${service}: the outbox is closed, ${records.length} published records are lost.`);
          else output.note(`${service}: the outbox is open.`);
          for (const each of await describeLost(queryable(pool), records ?? [])) found.push({ service, ...each });
        }
        return found;
      });
      output.showAll(lost, ['service', 'topic', 'key', 'revision', 'published_at', 'published', 'in_postgres']);
    });
}

function repairCommand(environment: CliEnvironment): Command {
  return withBrokers(
    new Command('repair').description(
      'brings linkage to what its topics say of its lost commits, and opens its outbox; engagement repairs itself',
    ),
  )
    .option('--by <name>', 'who repairs, for the audit; your user name when left out')
    .addHelpText('after', `\nExample:\n  $ npm run podium -- failover repair\n${reach}`)
    .action(async (options: { brokers?: string; by?: string }, command: Command) => {
      const output = outputOf(command, environment);
      const kafka = connectKafka(options, environment.env);
      const { by = userInfo().username } = options;
      const repaired = await withPostgres(environment.env, async (pool) => {
        if ((await findLostOf(pool, kafka, 'linkage')) === null) return null;
        output.note(`Waiting ${outboxSettleMs / 1000} s for what an instance may still be publishing.`);
        await sleep(outboxSettleMs);
        return repairLinkage(pool, kafka, by);
      });
      if (!repaired) output.note('Nothing of linkage is lost.');
      output.show({ repaired: repaired !== null, ...repaired });
      if (repaired && repaired.incomplete_integrations.length > 0)
        output.note(
          'incomplete_integrations are paused: enter addresses, client id and secret of each again, then resume it.',
        );
      if (repaired && repaired.links_refused.length > 0)
        output.note('links_refused have no integration, or their user is linked otherwise: these users link again.');
    });
}

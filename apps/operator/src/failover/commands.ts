import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { outboxSettleMs } from '@podium/runtime/outbox';
import { queryable } from '@podium/runtime/postgres';
import { ownName } from '../cli/own-name';
import { outputOf } from '../cli/command-context';
import { connectKafka, withBrokers, withPostgres } from '../cli/server-connections';
import { CliEnvironment } from '../cli/cli-environment';
import { Publisher, describeLost, findLostOf, repairLinkage } from './describe-lost-commits';

const reach = `
Services may keep running. Kafka: --brokers or KAFKA_BROKERS; Postgres: DATABASE_URL, with the role that owns the schemas.
Default: the local stack.`;

const publishers: readonly Publisher[] = ['linkage', 'engagement'];

/** `failover …` */
export function failoverCommands(environment: CliEnvironment): Command {
  const group = new Command('failover').description(
    'after a failover of Postgres: show and repair published commits that the promoted standby has lost',
  );
  group.addCommand(statusCommand(environment));
  group.addCommand(repairCommand(environment));
  return group;
}

function statusCommand(environment: CliEnvironment): Command {
  return withBrokers(new Command('status').description('list the commits that Postgres has lost and topics still have'))
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
      'restore the lost commits of linkage from its topics, and open its outbox; engagement repairs itself',
    ),
  )
    .option('--by <name>', 'your name for the audit log; default: your user name')
    .addHelpText('after', `\nExample:\n  $ npm run podium -- failover repair\n${reach}`)
    .action(async (options: { brokers?: string; by?: string }, command: Command) => {
      const output = outputOf(command, environment);
      const kafka = connectKafka(options, environment.env);
      const by = ownName(options);
      const repaired = await withPostgres(environment.env, async (pool) => {
        if ((await findLostOf(pool, kafka, 'linkage')) === null) return null;
        output.note(`Waiting ${outboxSettleMs / 1000} s for records that an instance may still be publishing.`);
        await sleep(outboxSettleMs);
        return repairLinkage(pool, kafka, by);
      });
      if (!repaired) output.note('linkage has lost nothing.');
      output.show({ repaired: repaired !== null, ...repaired });
      if (repaired && repaired.incomplete_integrations.length > 0)
        output.note(
          'incomplete_integrations are paused: enter addresses, client id and secret of each again, then resume it.',
        );
      if (repaired && repaired.links_refused.length > 0)
        output.note('links_refused have no integration, or their user has another link: these users must link again.');
    });
}

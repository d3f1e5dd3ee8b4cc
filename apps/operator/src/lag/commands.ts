import { Command } from 'commander';
import { outputOf } from '../cli/command-context';
import { ageText } from '../cli/output';
import { connectKafka, withBrokers } from '../cli/server-connections';
import { CliEnvironment, topicRowsOf } from '../cli/cli-environment';
import { UsageError } from '../cli/usage-error';
import { GroupLag, readLag } from './read-lag';

/** `lag` */
export function lagCommand(environment: CliEnvironment): Command {
  return withBrokers(
    new Command('lag').description(
      'lag of consumer groups: unread records and the age of the oldest; from Kafka, so for stopped groups too',
    ),
  )
    .option('--group <group>', 'only this consumer group')
    .option('--partitions', 'one row per partition')
    .addHelpText(
      'after',
      '\nExamples:\n  $ npm run podium -- lag\n  $ npm run podium -- lag --group engagement.user-events --partitions',
    )
    .action(async (options: { brokers?: string; group?: string; partitions?: boolean }, command: Command) => {
      const output = outputOf(command, environment);
      const lags = await readLag(connectKafka(options, environment.env), topicRowsOf(environment), options.group);
      if (options.group !== undefined && lags.length === 0)
        throw new UsageError(`No group ${options.group} reads a topic.`);
      const shown = options.partitions ? lags.map(partitionFields) : byTopic(lags);
      const columns = options.partitions
        ? ['group', 'topic', 'partition', 'members', 'position', 'records', 'oldest']
        : ['group', 'topic', 'members', 'records', 'oldest'];
      output.showAll(shown, columns, ({ records, seconds }) => ({
        oldest: records === 0 ? null : ageText(Number(seconds)),
      }));
    });
}

function partitionFields({ group, topic, partition, members, position, records, seconds }: GroupLag) {
  return { group, topic, partition, members, position: Number(position), records: Number(records), seconds };
}

/** Per group and topic all records and the oldest. */
function byTopic(lags: readonly GroupLag[]): Record<string, unknown>[] {
  const sums = new Map<string, { group: string; topic: string; members: number; records: number; seconds: number }>();
  for (const { group, topic, members, records, seconds } of lags) {
    const name = `${group} ${topic}`;
    const known = sums.get(name) ?? { group, topic, members, records: 0, seconds: 0 };
    sums.set(name, known);
    known.records += Number(records);
    known.seconds = Math.max(known.seconds, seconds);
  }
  return [...sums.values()];
}

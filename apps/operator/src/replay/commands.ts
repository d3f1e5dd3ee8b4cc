import { userInfo } from 'node:os';
import { TopicRow, segmentMembershipChanged, userEventAccepted } from '@podium/messages';
import { Kafka } from '@podium/runtime/kafka';
import { Pool, queryable } from '@podium/runtime/postgres';
import { Command } from 'commander';
import { BegunReplay } from '../../../engagement/src/operations/replay/begin-replay';
import { listReplays } from '../../../engagement/src/operations/replay/replays.store';
import { outputOf, parseMax } from '../cli/command-context';
import { LetterPlace, parsePlace } from '../dead-letters/letter-topics';
import { connectKafka, withBrokers, withPostgres } from '../cli/servers';
import { CliEnvironment, topicRowsOf } from '../cli/cli-environment';
import { UsageError } from '../cli/usage-error';
import { readHistory } from './compare-history';
import { RereadFrom, orderRebuild, orderReread } from './order-replay';

const reach = `
Kafka by --brokers or KAFKA_BROKERS, Postgres by DATABASE_URL (for --rebuild as the role that owns the schemas); else the
local stack's.`;

interface ReplayOptions {
  brokers?: string;
  rebuild?: boolean;
  fromOffset?: LetterPlace[];
  fromTime?: number;
  by?: string;
  dryRun?: boolean;
}

/** `replay …` */
export function replayCommands(environment: CliEnvironment): Command {
  const group = new Command('replay').description('let engagement read events again, while it runs');
  group.addCommand(engagementCommand(environment));
  group.addCommand(listCommand(environment));
  return group;
}

function engagementCommand(environment: CliEnvironment): Command {
  return withBrokers(
    new Command('engagement').description(
      'read the events again: to rebuild all that derives from them, or from an offset or time on without wiping anything',
    ),
  )
    .option(
      '--rebuild',
      'wipe inbox, event store and running state first; refused unless the topic still has all events',
    )
    .option('--from-offset <place>', '<partition>:<offset>; again for more partitions', addPlace)
    .option('--from-time <time>', 'when Kafka got the record, as 2030-01-31T12:00:00Z; all partitions', parseTime)
    .option('--by <name>', 'who orders it, for the record; your user name when left out')
    .option('--dry-run', 'check and say what would be read, and do nothing')
    .addHelpText(
      'after',
      '\nExamples:' +
        '\n  $ npm run podium -- replay engagement --rebuild --dry-run' +
        '\n  $ npm run podium -- replay engagement --rebuild' +
        '\n  $ npm run podium -- replay engagement --from-time 2030-01-31T12:00:00Z' +
        '\n  $ npm run podium -- replay engagement --from-offset 0:1200 --from-offset 3:1180\n' +
        reach,
    )
    .action(async (options: ReplayOptions, command: Command) => {
      const where = whereOf(options);
      const output = outputOf(command, environment);
      const kafka = connectKafka(options, environment.env);
      const dryRun = options.dryRun === true;
      const begun = await withPostgres(environment.env, async (pool) => {
        const parts = {
          pool,
          kafka,
          row: eventsRow(environment),
          memberships: membershipsRow(environment),
          orderedBy: options.by ?? userInfo().username,
        };
        return where === 'all' ? orderRebuild(parts, dryRun) : orderReread(parts, where, dryRun);
      });
      output.showAll(begun.partitions.map(partitionFields), ['partition', 'from_offset', 'until_offset', 'records']);
      output.note(noteOf(begun, dryRun));
    });
}

function listCommand(environment: CliEnvironment): Command {
  return new Command('list')
    .description('list replays and how far they are, the newest first')
    .option('--max <count>', 'most to show', parseMax, 20)
    .addHelpText('after', `\nExample:\n  $ npm run podium -- replay list\n${reach}`)
    .action(async (options: { max: number }, command: Command) => {
      const output = outputOf(command, environment);
      const replays = await withPostgres(environment.env, (pool) => listReplays(queryable(pool), options.max));
      output.showAll(
        replays.map((each) => ({
          replay: each.replay,
          kind: each.kind,
          ordered_by: each.orderedBy,
          began_at: each.beganAt.toISOString(),
          finished_at: each.finishedAt?.toISOString() ?? null,
          records: each.records,
          remaining: each.remaining,
        })),
        ['replay', 'kind', 'ordered_by', 'began_at', 'finished_at', 'records', 'remaining'],
      );
    });
}

/** `verify` */
export function verifyCommands(environment: CliEnvironment): Command {
  const group = new Command('verify').description('compare what services hold with their topics');
  group.addCommand(
    withBrokers(new Command('engagement').description('compare the inbox with the topic of events, event by event'))
      .addHelpText('after', `\nExample:\n  $ npm run podium -- verify engagement\n${reach}`)
      .action(async (options: { brokers?: string }, command: Command) => {
        const output = outputOf(command, environment);
        const kafka = connectKafka(options, environment.env);
        const history = await withPostgres(environment.env, (pool: Pool) => compare(pool, kafka, environment));
        output.show(history);
        output.note(
          history.only_in_topic === 0
            ? 'Every event that the positions have passed is in the inbox.'
            : 'Events that the positions have passed are not in the inbox: look at dlq list engagement.user-events.',
        );
      }),
  );
  return group;
}

async function compare(pool: Pool, kafka: Kafka, environment: CliEnvironment) {
  const history = await readHistory(pool, kafka, eventsRow(environment));
  return {
    events_in_topic: history.inTopic,
    events_in_inbox: history.inInbox,
    only_in_inbox: history.onlyInInbox,
    only_in_topic: history.onlyInTopic,
    unreadable_records: history.unreadable,
  };
}

function whereOf({ rebuild, fromOffset, fromTime }: ReplayOptions): RereadFrom | 'all' {
  const given = [rebuild, fromOffset, fromTime].filter((each) => each !== undefined);
  if (given.length !== 1) throw new UsageError('Say one of --rebuild, --from-offset and --from-time.');
  if (fromOffset) return { offsets: new Map(fromOffset.map(({ partition, offset }) => [partition, offset])) };
  return fromTime === undefined ? 'all' : { timestampMs: fromTime };
}

function partitionFields({ partition, fromOffset, untilOffset }: BegunReplay['partitions'][number]) {
  return {
    partition,
    from_offset: Number(fromOffset),
    until_offset: Number(untilOffset),
    records: Number(untilOffset - fromOffset),
  };
}

function noteOf({ replay }: BegunReplay, dryRun: boolean): string {
  return dryRun
    ? 'Nothing was done: this is what would be read again.'
    : `Replay ${replay} has begun; running instances read on from there. replay list shows how far it is.`;
}

function eventsRow(environment: CliEnvironment): TopicRow {
  const row = topicRowsOf(environment).find(({ events }) => events.some(({ type }) => type === userEventAccepted.type));
  if (!row) throw new UsageError('No topic has user events.');
  return row;
}

function membershipsRow(environment: CliEnvironment) {
  const row = topicRowsOf(environment).find(({ events }) =>
    events.some(({ type }) => type === segmentMembershipChanged.type),
  );
  return row as TopicRow<typeof segmentMembershipChanged> | undefined;
}

function addPlace(text: string, before: LetterPlace[] = []): LetterPlace[] {
  const place = parsePlace(text);
  if (before.some(({ partition }) => partition === place.partition))
    throw new UsageError(`--from-offset ${text}: partition ${place.partition} is named twice.`);
  return [...before, place];
}

function parseTime(text: string): number {
  const timeMs = /^\d{4}-\d{2}-\d{2}T/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(timeMs)) throw new UsageError(`--from-time ${text}: must be a time as 2030-01-31T12:00:00Z.`);
  return timeMs;
}

import { TopicRow, segmentMembershipChanged, userEventAccepted } from '@podium/messages';
import { queryable } from '@podium/runtime/postgres';
import { Command } from 'commander';
import { BegunReplay } from '../../../engagement/src/operations/replay/begin-replay';
import { listReplays } from '../../../engagement/src/operations/replay/replays.store';
import { AttentionError } from '../cli/attention-error';
import { ownName } from '../cli/own-name';
import { atMost, outputOf, parseMax } from '../cli/command-context';
import { LetterPlace, parsePlace } from '../dead-letters/letter-topics';
import { connectKafka, withBrokers, withPostgres } from '../cli/server-connections';
import { CliEnvironment, topicRowsOf } from '../cli/cli-environment';
import { parseFromTime, timeExample } from '../cli/time-options';
import { UsageError } from '../cli/usage-error';
import { HistoryParts, readHistory } from './compare-history';
import { RereadFrom, orderRebuild, orderReread } from './order-replay';

const reach = `
Kafka: --brokers or KAFKA_BROKERS; Postgres: DATABASE_URL (for --rebuild with the role that owns the schemas). Default: the
local stack.`;

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
  const group = new Command('replay').description('let engagement re-read events while it runs');
  group.addCommand(engagementCommand(environment));
  group.addCommand(listCommand(environment));
  return group;
}

function engagementCommand(environment: CliEnvironment): Command {
  return withBrokers(
    new Command('engagement').description(
      're-read the events: to rebuild all derived state, or from an offset or time without deleting anything',
    ),
  )
    .option('--rebuild', 'delete inbox, event store and histories first; refused unless the topic still has all events')
    .option('--from-offset <position>', '<partition>:<offset>; repeatable for more partitions', addPlace)
    .option('--from-time <time>', `time of the record in Kafka, such as ${timeExample}; all partitions`, parseFromTime)
    .option('--by <name>', 'your name for the record of replays; default: your user name')
    .option('--dry-run', 'check and print what would be read, and change nothing')
    .addHelpText(
      'after',
      '\nExamples:' +
        '\n  $ npm run podium -- replay engagement --rebuild --dry-run' +
        '\n  $ npm run podium -- replay engagement --rebuild' +
        `\n  $ npm run podium -- replay engagement --from-time ${timeExample}` +
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
          orderedBy: ownName(options),
          note: output.note,
        };
        return where === 'all' ? orderRebuild(parts, dryRun) : orderReread(parts, where, dryRun);
      });
      output.showAll(begun.partitions.map(partitionFields), ['partition', 'from_offset', 'until_offset', 'records']);
      output.note(noteOf(begun, dryRun));
    });
}

function listCommand(environment: CliEnvironment): Command {
  return new Command('list')
    .description('list replays and their progress, the newest first')
    .option('--max <count>', 'maximum number to show', parseMax, 20)
    .addHelpText('after', `\nExample:\n  $ npm run podium -- replay list\n${reach}`)
    .action(async (options: { max: number }, command: Command) => {
      const output = outputOf(command, environment);
      const replays = await withPostgres(environment.env, (pool) => listReplays(queryable(pool), options.max + 1));
      output.showAll(
        atMost(replays, options.max, environment).map((each) => ({
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
  const group = new Command('verify').description('compare data of services with their topics');
  group.addCommand(
    withBrokers(
      new Command('engagement').description(
        'compare the inbox with the topic of events, event by event; exit code 1 when events before the positions are missing',
      ),
    )
      .addHelpText('after', `\nExample:\n  $ npm run podium -- verify engagement\n${reach}`)
      .action(async (options: { brokers?: string }, command: Command) => {
        const output = outputOf(command, environment);
        const kafka = connectKafka(options, environment.env);
        const history = await withPostgres(environment.env, (pool) =>
          compare({ pool, kafka, row: eventsRow(environment), note: output.note }),
        );
        output.show(history);
        if (history.only_in_topic > 0)
          throw new AttentionError(
            `${history.only_in_topic} events before the positions are not in the inbox. Dead letters count here: dlq list shows ` +
              'them. Others were skipped: replay engagement --from-time reads them again.',
          );
        output.note('Every event before the positions is in the inbox.');
      }),
  );
  return group;
}

async function compare(parts: HistoryParts) {
  const history = await readHistory(parts);
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
  if (given.length !== 1) throw new UsageError('Give one of --rebuild, --from-offset and --from-time.');
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
    ? 'Dry run: nothing was changed.'
    : `Replay ${replay} has begun; running instances continue from there. replay list shows its progress.`;
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
  const place = parsePlace(text, 'of the topic of events, as lag --partitions prints them');
  if (before.some(({ partition }) => partition === place.partition))
    throw new UsageError(`--from-offset ${text}: partition ${place.partition} is given twice.`);
  return [...before, place];
}

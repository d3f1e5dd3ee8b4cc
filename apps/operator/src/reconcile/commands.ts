import { userEventAccepted } from '@podium/messages';
import { inTransaction, queryable } from '@podium/runtime/postgres';
import { Command } from 'commander';
import { closeReadingGap, listReadingGaps } from '../../../engagement/src/operations/gaps/gaps.store';
import { voidMarks } from '../../../ingestion/src/operations/void-marks';
import { ownName } from '../cli/own-name';
import { CliEnvironment, topicRowsOf } from '../cli/cli-environment';
import { atMost, outputOf, parseMax } from '../cli/command-context';
import { withPostgres } from '../cli/server-connections';
import { UsageError } from '../cli/usage-error';

const reach = '\nPostgres: DATABASE_URL. Default: the local stack.';

const columns = [
  'gap',
  'partition',
  'cause',
  'from_offset',
  'until_offset',
  'found_at',
  'closed_at',
  'closed_by',
] as const;

/** `reconcile …` */
export function reconcileCommands(environment: CliEnvironment): Command {
  const group = new Command('reconcile').description('why partners cannot be told which events are missing');
  group.addCommand(gapsCommand(environment));
  group.addCommand(closeCommand(environment));
  return group;
}

function gapsCommand(environment: CliEnvironment): Command {
  return new Command('gaps')
    .description('list offsets of the events that engagement has passed unread, the newest first')
    .option('--max <count>', 'maximum number to show', parseMax, 20)
    .addHelpText('after', `\nExample:\n  $ npm run podium -- reconcile gaps\n${reach}`)
    .action(async (options: { max: number }, command: Command) => {
      const gaps = await withPostgres(environment.env, (pool) =>
        listReadingGaps(queryable(pool), eventsTopic(environment), options.max + 1),
      );
      const rows = atMost(gaps, options.max, environment).map((each) => ({
        ...{ gap: each.gap, partition: each.partition, cause: each.cause },
        ...{ from_offset: Number(each.fromOffset), until_offset: Number(each.untilOffset) },
        found_at: each.foundAt.toISOString(),
        closed_at: each.closedAt?.toISOString() ?? null,
        closed_by: each.closedBy,
      }));
      outputOf(command, environment).showAll(rows, columns);
    });
}

function closeCommand(environment: CliEnvironment): Command {
  return new Command('close-gap')
    .description(
      'declare the events of a gap lost: reconcile then returns their ids as missing, and they are accepted again',
    )
    .argument('<gap>', 'its number', parseGap)
    .option('--by <name>', 'your name for the record; default: your user name')
    .addHelpText('after', `\nExample:\n  $ npm run podium -- reconcile close-gap 3\n${reach}`)
    .action(async (gap: number, options: { by?: string }, command: Command) => {
      const output = outputOf(command, environment);
      const by = ownName(options);
      const topic = eventsTopic(environment);
      const isClosed = await withPostgres(environment.env, (pool) =>
        // Together: with its mark, an event that is told to be missing would be answered as a duplicate, and stay lost.
        inTransaction(pool, async (tx) => {
          if (!(await closeReadingGap(tx, topic, gap, by))) return false;
          await voidMarks(tx, by);
          return true;
        }),
      );
      if (!isClosed) throw new UsageError(`There is no open gap ${gap}: reconcile gaps lists them.`);
      if (command.optsWithGlobals<{ json?: boolean }>().json) output.show({ gap, closed_by: by });
      output.note(
        `Gap ${gap} is closed: its events count as never accepted, and are accepted when they are sent again.`,
      );
    });
}

function eventsTopic(environment: CliEnvironment): string {
  const row = topicRowsOf(environment).find(({ events }) => events.some(({ type }) => type === userEventAccepted.type));
  if (!row) throw new UsageError('No topic has user events.');
  return row.name;
}

function parseGap(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new UsageError(`${text} is not the number of a gap.`);
  return Number(text);
}

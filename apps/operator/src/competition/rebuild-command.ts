import { Registry } from '@podium/runtime/metrics';
import { Command } from 'commander';
import { rebuild } from '../../../competition-read/src/operations/rebuild';
import { connectionsOfRebuild } from '../../../competition-read/src/operations/run-rebuild';
import { CliEnvironment } from '../cli/cli-environment';
import { connectKafka, quietLogger as logger, withBrokers, withPostgres } from '../cli/server-connections';
import { progressBar } from '../cli/progress-bar';

const notes = `
Builds a new set of tables next to the live one and swaps them once the new set is complete.
Reads and changes continue meanwhile. Run it after a release whose service reports that a rebuild
is due, and after changes were applied wrongly. An interrupted rebuild leaves the live tables
unchanged; the next one starts over. Data that "npm run competition:generate -- --load" loaded
and that is not in the topic is lost. The topic keeps the last record of a document: where the
live tables have a higher revision, or the last record is invalid, the document or its deletion is
taken from the live tables. To return to a lower revision, publish a tombstone of the document first.

Postgres: DATABASE_URL, as the role of competition-read. Default: the local stack.

Example:
  $ npm run podium -- competition rebuild

Exit codes: 0 replaced, 1 failed or a rebuild is running already, 2 wrong usage`;

/** `competition rebuild` */
export function rebuildCommand(environment: CliEnvironment): Command {
  return withBrokers(
    new Command('rebuild')
      .description('rebuild the tables of competition-read from the topic competition.changes.v1')
      .allowExcessArguments(false),
  )
    .addHelpText('after', notes)
    .action((options: { brokers?: string }) => rebuildTables(options, environment));
}

async function rebuildTables(options: { brokers?: string }, { env, err }: CliEnvironment): Promise<void> {
  const kafka = connectKafka(options, env);
  const bar = progressBar('{bar} {percentage} % | {value} of {total} records | {eta_formatted} left');
  let isShown = false;
  await withPostgres(
    env,
    async (pool) => {
      const { deadRecords, firstDead, carried, refused, firstRefused } = await rebuild(
        { pool, kafka, logger, registry: new Registry() },
        ({ recordsDone, recordsTotal }) => {
          if (!isShown) bar.start(recordsTotal, 0);
          isShown = true;
          bar.update(Math.min(recordsDone, recordsTotal));
        },
      ).finally(() => bar.stop());
      for (const { partition, offset, key, reason } of firstDead)
        err(`record ${partition}/${offset} (${key}): ${reason}\n`);
      for (const { key, reason } of firstRefused) err(`${key} of the former tables: ${reason}\n`);
      err(`The new tables are live; ${deadRecords} records could not be applied.\n`);
      if (carried > 0) err(`${carried} documents were newer in the former tables and are taken from there.\n`);
      if (refused > 0) err(`${refused} documents were newer in the former tables, but are invalid and not taken.\n`);
    },
    { size: connectionsOfRebuild, answerTimeoutMs: 0 },
  );
}

import { SingleBar } from 'cli-progress';
import { Command } from 'commander';
import { Registry } from '@podium/runtime/metrics';
import { createPool } from '@podium/runtime/postgres';
import { pino } from 'pino';
import { rebuild } from '../../apps/competition-read/src/importing/rebuild';
import { connectionsOfRebuild } from '../../apps/competition-read/src/importing/run-rebuild';
import { connectKafka, databaseUrl } from './servers';

const notes = `
Builds the tables of competition-read anew from the topic competition.changes.v1, beside those that are live, and swaps them
once they have all that the live ones have. Reads and changes go on all the while. Needed after a release whose service
says that a rebuild is due, and after changes have been applied wrongly. An interrupted rebuild leaves the live tables as
they are; the next one starts over. What was loaded by \`competition:generate --load\` and is not in the topic is gone after it.

Environment:
  KAFKA_BROKERS   comma-separated host:port; without it those of the local stack that runs
  DATABASE_URL    Postgres as the role of competition-read; without it that of the local stack that runs

Exit codes: 0 swapped, 1 failed or a rebuild is running already, 2 wrong usage`;

async function main(): Promise<number> {
  new Command('npm run competition:rebuild --')
    .description('Rebuilds the tables of competition-read from the topic.')
    .addHelpText('after', notes)
    .showHelpAfterError('(add --help for what it does)')
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
    .parse(process.argv);
  const logger = pino({ level: 'warn' }, pino.destination(2));
  const registry = new Registry();
  const service = 'competition-rebuild';
  const kafka = connectKafka(service, logger);
  const pool = createPool(
    { url: databaseUrl(), size: connectionsOfRebuild, service, answerTimeoutMs: 0 },
    logger,
    registry,
  );
  const bar = new SingleBar({
    format: '{bar} {percentage} % | {value} of {total} records | {eta_formatted} left',
    stream: process.stderr,
    noTTYOutput: true,
    notTTYSchedule: 5_000,
    hideCursor: true,
  });
  let isShown = false;
  try {
    const { deadRecords, firstDead } = await rebuild({ pool, kafka, logger, registry }, (progress) => {
      if (!isShown) bar.start(progress.recordsTotal, 0);
      isShown = true;
      bar.update(Math.min(progress.recordsDone, progress.recordsTotal));
    });
    bar.stop();
    for (const { partition, offset, key, reason } of firstDead)
      console.error(`record ${partition}/${offset} (${key}): ${reason}`);
    console.error(`The new tables are live; ${deadRecords} records were none that can be applied.`);
    return 0;
  } finally {
    bar.stop();
    await pool.end();
  }
}

main().then(
  (code) => process.exit(code),
  (error: Error) => {
    console.error(`The rebuild failed: ${error.message}`);
    process.exit(1);
  },
);

import { CompetitionChange } from '@podium/messages';
import { Registry } from '@podium/runtime/metrics';
import { createPool } from '@podium/runtime/postgres';
import { pino } from 'pino';
import { CopyProgress, copyLoad } from '../../apps/competition-read/src/importing/copy-load';
import { connectionsOfRebuild } from '../../apps/competition-read/src/importing/run-rebuild';
import { connectKafka, databaseUrl } from './servers';

/** Loads changes by COPY into the set of tables that is not live, and makes it live. */
export async function loadChanges(
  batches: Iterable<readonly CompetitionChange[]>,
  showStep: (step: string) => void,
): Promise<void> {
  const logger = pino({ level: 'warn' }, pino.destination(2));
  const registry = new Registry();
  const pool = createPool(
    { url: databaseUrl(), size: connectionsOfRebuild, service: 'competition-load', answerTimeoutMs: 0 },
    logger,
    registry,
  );
  const kafka = connectKafka('competition-load', logger);
  try {
    await copyLoad({ pool, kafka, logger, registry }, batches, (progress) => showStep(stepNames[progress.step]));
  } finally {
    await pool.end();
  }
}

const stepNames: Readonly<Record<CopyProgress['step'], string>> = {
  copy: 'copying',
  sort: 'sorting, counting and indexing',
  vacuum: 'gathering statistics',
  'catch up': 'reading the topic, then it is live',
};

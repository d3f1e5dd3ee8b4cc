import { CompetitionChange } from '@podium/messages';
import { Registry } from '@podium/runtime/metrics';
import { CopyProgress, copyLoad } from '../../apps/competition-read/src/operations/copy-load';
import { connectionsOfRebuild } from '../../apps/competition-read/src/operations/run-rebuild';
import { connectKafka, quietLogger as logger, withPostgres } from '../../apps/operator/src/cli/server-connections';

/** Loads changes by COPY into the inactive set of tables, and makes that set live. */
export async function loadChanges(
  batches: Iterable<readonly CompetitionChange[]>,
  showStep: (step: string) => void,
): Promise<void> {
  const kafka = connectKafka({}, process.env);
  await withPostgres(
    process.env,
    async (pool) => {
      await copyLoad({ pool, kafka, logger, registry: new Registry() }, batches, ({ step }) =>
        showStep(stepNames[step]),
      );
    },
    { size: connectionsOfRebuild, answerTimeoutMs: 0 },
  );
}

const stepNames: Readonly<Record<CopyProgress['step'], string>> = {
  copy: 'copying',
  sort: 'sorting, counting and indexing',
  vacuum: 'gathering statistics',
  'catch up': 'reading the topic, then it is live',
};

import { SingleBar } from 'cli-progress';
import { CompetitionChange } from '@podium/messages';
import { errorMessage } from '@podium/runtime/errors';
import { ChangePublisher } from '../../apps/competition-read/src/operations/change-publisher';
import { connectKafka, quietLogger } from '../../apps/operator/src/cli/server-connections';
import { GenerateOptions, readGenerateOptions, usageExitCode } from './generate-options';
import { loadChanges } from './load-changes';
import { worldChanges } from './world/changes';
import { writeLines } from './write-lines';

/** The command; reports its progress and result on standard error. */
async function main(): Promise<number> {
  const { world, destination } = readGenerateOptions(process.argv.slice(2), Date.now());
  const count = { documents: 0 };
  const bar = new SingleBar({
    format: '{value} documents | {duration_formatted} | {step}',
    stream: process.stderr,
    noTTYOutput: true,
    notTTYSchedule: 10_000,
    hideCursor: true,
  });
  const showStep = (step: string): void => bar.update({ step });
  const changes = counted(worldChanges(world), (documents) => {
    count.documents = documents;
    bar.update(documents);
  });
  bar.start(0, 0, { step: 'generating' });
  try {
    await bring(changes, destination, showStep);
  } finally {
    bar.stop();
  }
  console.error(`${count.documents} documents (seed ${world.seed}, now ${world.nowS}).`);
  return 0;
}

async function bring(
  changes: Iterable<CompetitionChange[]>,
  destination: GenerateOptions['destination'],
  showStep: (step: string) => void,
): Promise<void> {
  switch (destination.to) {
    case 'lines':
      return writeLines(changes, destination.path);
    case 'topic':
      return publish(changes);
    case 'tables':
      return loadChanges(changes, showStep);
  }
}

async function publish(batches: Iterable<CompetitionChange[]>): Promise<void> {
  const publisher = await ChangePublisher.start(connectKafka({}, process.env), quietLogger);
  try {
    for (const batch of batches)
      await publisher.publish(batch.map((change) => ({ key: change.key, value: Buffer.from(JSON.stringify(change)) })));
  } finally {
    await publisher.end();
  }
}

function* counted(
  batches: Iterable<CompetitionChange[]>,
  onCount: (documents: number) => void,
): Generator<CompetitionChange[]> {
  let documents = 0;
  for (const batch of batches) {
    onCount((documents += batch.length));
    yield batch;
  }
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    const usage = usageExitCode(error);
    if (usage === null) console.error(errorMessage(error));
    process.exit(usage ?? 1);
  },
);

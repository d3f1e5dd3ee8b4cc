import { setTimeout as sleep } from 'node:timers/promises';
import { CompetitionChange } from '@podium/messages';
import { ChangePublisher, ChangeRecord } from '../../apps/competition-read/src/operations/change-publisher';
import { connectKafka, quietLogger } from '../../apps/operator/src/cli/server-connections';
import { worldChanges } from '../../tools/competition/world/changes';

/** Starts publishing at this rate. */
export interface PublisherCommand {
  readonly changesPerS: number;
}

/** Reports of the publisher's process: the changes are generated; all of them are acknowledged. */
export type PublisherReport =
  { readonly kind: 'ready'; readonly changes: number } | { readonly kind: 'published'; readonly tookMs: number };

const everyMs = 50;

process.on('message', (command: PublisherCommand) => void publish(command));
process.on('disconnect', () => process.exit(0));

// Everything is generated before the measurement, so that generating takes no CPU from it.
const records = mixed(changesOf(Number(process.argv[2])));
tell({ kind: 'ready', changes: records.length });

async function publish({ changesPerS }: PublisherCommand): Promise<void> {
  const publisher = await ChangePublisher.start(connectKafka({}, process.env), quietLogger);
  const startedAtMs = performance.now();
  for (let sent = 0; sent < records.length;) {
    const due = Math.min(records.length, Math.floor(((performance.now() - startedAtMs) / 1000) * changesPerS));
    if (due > sent) await publisher.publish(records.slice(sent, due));
    sent = due;
    await sleep(everyMs);
  }
  await publisher.end();
  tell({ kind: 'published', tookMs: performance.now() - startedAtMs });
}

function changesOf(players: number): ChangeRecord[] {
  const nowS = Math.floor(Date.now() / 86_400_000) * 86_400;
  const world = { players, matches: Math.ceil(players / 2), seed: 2, nowS };
  return [...worldChanges(world)]
    .flat()
    .map((change: CompetitionChange) => ({ key: change.key, value: Buffer.from(JSON.stringify(change)) }));
}

/** A world is generated kind by kind; an import of changes has all kinds at any time. */
function mixed<Item>(items: readonly Item[]): Item[] {
  return items.map((_, at) => items[(at * 7919) % items.length]);
}

function tell(report: PublisherReport): void {
  process.send?.(report);
}

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

/** Changes in one buffer, with offsets: every collection of garbage would have to mark an object per change. */
class StoredChanges {
  readonly count: number;
  private readonly bytes: Buffer;
  /** Where the key of each change begins, where its value begins, and at last where the last value ends. */
  private readonly starts: Uint32Array;

  constructor(records: readonly ChangeRecord[]) {
    const parts = records.flatMap(({ key, value }) => [Buffer.from(key), value]);
    this.count = records.length;
    this.bytes = Buffer.concat(parts);
    this.starts = new Uint32Array(parts.length + 1);
    parts.forEach((part, at) => (this.starts[at + 1] = this.starts[at] + part.byteLength));
  }

  /** The changes with these indexes, without the last one. */
  between(from: number, to: number): ChangeRecord[] {
    return Array.from({ length: to - from }, (_, offset) => ({
      key: this.part(2 * (from + offset)).toString(),
      value: this.part(2 * (from + offset) + 1),
    }));
  }

  private part(at: number): Buffer {
    return this.bytes.subarray(this.starts[at], this.starts[at + 1]);
  }
}

process.on('message', (command: PublisherCommand) => void publish(command));
process.on('disconnect', () => process.exit(0));

// Everything is generated before the measurement, so that generating takes no CPU from it.
const changes = new StoredChanges(mixed(changesOf(Number(process.argv[2]))));
tell({ kind: 'ready', changes: changes.count });

async function publish({ changesPerS }: PublisherCommand): Promise<void> {
  const publisher = await ChangePublisher.start(connectKafka({}, process.env), quietLogger);
  const startedAtMs = performance.now();
  for (let sent = 0; sent < changes.count;) {
    const due = Math.min(changes.count, Math.floor(((performance.now() - startedAtMs) / 1000) * changesPerS));
    if (due > sent) await publisher.publish(changes.between(sent, due));
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

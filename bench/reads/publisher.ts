import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CompetitionChange } from '@podium/messages';
import { ChangePublisher, ChangeRecord } from '../../apps/competition-read/src/operations/change-publisher';
import { connectKafka, quietLogger } from '../../apps/operator/src/cli/server-connections';
import { worldChanges } from '../../tools/competition/world/changes';
import { importedWorld } from './import-length';

/** Starts publishing at this rate. */
export interface PublisherCommand {
  readonly changesPerS: number;
}

/** Reports of the publisher's process: the changes are generated; all of them are acknowledged. */
export type PublisherReport =
  { readonly kind: 'ready'; readonly changes: number } | { readonly kind: 'published'; readonly tookMs: number };

const everyMs = 50;

/**
 * Changes in a file, with their offsets. In memory they would be marked at every collection of garbage, or make V8 collect
 * it several times a second, on the processors of the measured servers.
 */
class StoredChanges {
  readonly count: number;
  private readonly file: number;
  /** Where the key of each change begins, where its value begins, and at last where the last value ends. */
  private readonly starts: Float64Array;

  constructor(records: readonly ChangeRecord[]) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'changes-'));
    this.file = fs.openSync(path.join(folder, 'changes'), 'w+');
    // The open file remains until the process ends.
    fs.rmSync(folder, { recursive: true });
    this.count = records.length;
    this.starts = new Float64Array(2 * records.length + 1);
    let end = 0;
    for (const [at, { key, value }] of records.entries()) {
      end += fs.writeSync(this.file, key);
      this.starts[2 * at + 1] = end;
      end += fs.writeSync(this.file, value);
      this.starts[2 * at + 2] = end;
    }
  }

  /** The changes with these indexes, without the last one. */
  between(from: number, to: number): ChangeRecord[] {
    const { starts } = this;
    const start = starts[2 * from];
    const bytes = Buffer.alloc(starts[2 * to] - start);
    fs.readSync(this.file, bytes, 0, bytes.length, start);
    const part = (at: number): Buffer => bytes.subarray(starts[at] - start, starts[at + 1] - start);
    return Array.from({ length: to - from }, (_, offset) => {
      const at = 2 * (from + offset);
      return { key: part(at).toString(), value: part(at + 1) };
    });
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
  return [...worldChanges(importedWorld(players))]
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

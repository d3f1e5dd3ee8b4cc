import * as fs from 'node:fs';
import { EventQueue } from '../src/queue/event-queue';
import { encoded } from './events';

/** Appends events without end and prints the id of each one that is confirmed: for tests that kill this process. */
async function main([folder, name]: string[]): Promise<void> {
  const nothing = (): void => undefined;
  const limits = { maxBytes: 2 ** 30, segmentBytes: 20_000 };
  const listeners = { onClaimed: nothing, onTornLine: nothing, onDamagedFile: nothing, onUnreadable: nothing };
  const queue = await EventQueue.open({ folder, ...limits, ...listeners });
  const append = async (writer: number): Promise<void> => {
    for (let n = 0; ; n++) {
      const id = `${name}-${writer}-${n}`;
      await queue.append(encoded(id));
      // A stream keeps lines in memory while the reader is slow: they would be lost with the process.
      fs.writeSync(1, `${id}\n`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, writer) => append(writer)));
}

void main(process.argv.slice(2));

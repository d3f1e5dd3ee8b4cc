import * as fs from 'node:fs';
import * as path from 'node:path';
import { StackFolders } from '../../tools/stack/folders';

/** Counts the records of a topic by the codec number of their batches, from the log files of the first broker. */
export function codecsInTopic(folders: StackFolders, topic: string): Map<number, number> {
  const broker = path.join(folders.data, 'kafka-1');
  const counts = new Map<number, number>();
  for (const partition of fs.readdirSync(broker).filter((name) => name.startsWith(`${topic}-`)))
    for (const segment of fs.readdirSync(path.join(broker, partition)).filter((name) => name.endsWith('.log')))
      addBatches(counts, fs.readFileSync(path.join(broker, partition, segment)));
  return counts;
}

/** A batch has its length at byte 8, the codec in the attributes at byte 21 and the record count at byte 57. */
function addBatches(counts: Map<number, number>, segment: Buffer): void {
  for (let at = 0; at + 61 <= segment.length; at += 12 + segment.readInt32BE(at + 8)) {
    const codec = segment.readInt16BE(at + 21) & 7;
    counts.set(codec, (counts.get(codec) ?? 0) + segment.readInt32BE(at + 57));
  }
}

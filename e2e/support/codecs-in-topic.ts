import * as fs from 'node:fs';
import * as path from 'node:path';
import { StackFolders } from '../../tools/stack/folders';

/** How many records of a topic lie in batches of each codec, by its number, from the first broker's own files. */
export function codecsInTopic(folders: StackFolders, topic: string): Map<number, number> {
  const broker = path.join(folders.data, 'kafka-1');
  const counts = new Map<number, number>();
  for (const partition of fs.readdirSync(broker).filter((name) => name.startsWith(`${topic}-`)))
    for (const segment of fs.readdirSync(path.join(broker, partition)).filter((name) => name.endsWith('.log')))
      addBatches(counts, fs.readFileSync(path.join(broker, partition, segment)));
  return counts;
}

/** A batch has its length at byte 8, the codec in the attributes at 21 and the number of its records at 57. */
function addBatches(counts: Map<number, number>, segment: Buffer): void {
  for (let at = 0; at + 61 <= segment.length; at += 12 + segment.readInt32BE(at + 8)) {
    const codec = segment.readInt16BE(at + 21) & 7;
    counts.set(codec, (counts.get(codec) ?? 0) + segment.readInt32BE(at + 57));
  }
}

import { readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { withChecksum } from '@podium/testing/record-batch';
import { StackFolders } from '../../../tools/stack/folders';

/** A change of the bytes of a batch. */
export interface BatchChange {
  readonly topic: string;
  readonly partition: number;
  /** The offset at which the batch begins. */
  readonly firstOffset: bigint;
  readonly change: (batch: Buffer) => void;
  /** Whether the checksum is corrected afterwards, as if the producer had written these bytes. */
  readonly rightChecksum: boolean;
}

/** Changes a batch in the segment of a broker that does not run, as a failing disk would. */
export function changeSegment(folders: StackFolders, { topic, partition, ...change }: BatchChange): void {
  const file = path.join(folders.data, 'kafka-1', `${topic}-${partition}`, `${'0'.repeat(20)}.log`);
  const bytes = readFileSync(file);
  for (let at = 0; at < bytes.length;) {
    const end = at + 12 + bytes.readInt32BE(at + 8);
    if (bytes.readBigInt64BE(at) === change.firstOffset) {
      const batch = bytes.subarray(at, end);
      change.change(batch);
      if (change.rightChecksum) withChecksum(batch);
      return writeFileSync(file, bytes);
    }
    at = end;
  }
  throw new Error(`${file} has no batch that begins at ${change.firstOffset}`);
}

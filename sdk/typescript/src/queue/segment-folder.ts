import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { OwnerLock, isAlive, ownerOfLock, removeLock } from './owner-lock';
import { Segment, donePathOf } from './segment';

const segmentName = /^([0-9a-f]{16})-(\d+)\.(queue|done)$/;

/**
 * The folder of a queue. Several processes may use one: each writes segments of its own, and takes over those of processes
 * that have ended. Taking over is a rename, of which exactly one process succeeds.
 */
export class SegmentFolder {
  private nextNumber = 0;

  private constructor(
    readonly path: string,
    private readonly lock: OwnerLock,
  ) {}

  /** Opens a folder, which is created if it is missing; only this user may read it. */
  static async open(folder: string): Promise<SegmentFolder> {
    await fs.mkdir(folder, { recursive: true, mode: 0o700 });
    return new SegmentFolder(folder, await OwnerLock.acquire(folder));
  }

  /** A path for the next segment of this process. */
  nextPath(): string {
    this.nextNumber += 1;
    return path.join(this.path, `${this.lock.owner}-${this.nextNumber}.queue`);
  }

  /** Takes over the segments of owners that have ended, in the order in which each was written. */
  async claim(): Promise<Segment[]> {
    const files = await fs.readdir(this.path);
    const owners = new Set(files.flatMap((file) => segmentName.exec(file)?.[1] ?? ownerOfLock(file) ?? []));
    owners.delete(this.lock.owner);
    const claimed: Segment[] = [];
    for (const owner of owners) {
      if (await isAlive(this.path, owner)) continue;
      const numbers = files.flatMap((file) => {
        const [, named, number, kind] = segmentName.exec(file) ?? [];
        return named === owner && kind === 'queue' ? Number(number) : [];
      });
      for (const number of numbers.sort((a, b) => a - b)) {
        const segment = await this.claimSegment(`${owner}-${number}.queue`);
        if (segment) claimed.push(segment);
      }
      await this.removeRemains(owner);
    }
    if (claimed.length > 0) await this.sync();
    return claimed;
  }

  /** Forces the names of new files to disk. */
  async sync(): Promise<void> {
    const folder = await fs.open(this.path, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }

  /** Gives the segments that are left to the next process. */
  async close(): Promise<void> {
    await this.lock.release();
  }

  private async claimSegment(file: string): Promise<Segment | undefined> {
    const from = path.join(this.path, file);
    const to = this.nextPath();
    if (!(await renamed(from, to))) return undefined;
    await renamed(donePathOf(from), donePathOf(to));
    return Segment.claimed(to);
  }

  /** Removes the lock of a dead owner and marks without a segment, once no segment of it is left. */
  private async removeRemains(owner: string): Promise<void> {
    const left = (await fs.readdir(this.path)).filter((file) => segmentName.exec(file)?.[1] === owner);
    if (left.some((file) => file.endsWith('.queue'))) return;
    for (const file of left) await fs.rm(path.join(this.path, file), { force: true });
    await removeLock(this.path, owner);
  }
}

/** Renames a file; false when it is not there, because another process was faster. */
async function renamed(from: string, to: string): Promise<boolean> {
  try {
    await fs.rename(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { marksPathOf, readMarks } from './done-marks';
import { OwnerLock, isAlive, lockPathOf, ownerOfLock, removeLock } from './owner-lock';
import { Segment } from './segment';
import { opened, renamed } from './shared-files';
import { UnreadableFiles } from './unreadable-files';

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
    private readonly unreadable: UnreadableFiles,
  ) {}

  /** Opens a folder, which is created if it is missing; only this user may read it. */
  static async open(folder: string, unreadable: UnreadableFiles): Promise<SegmentFolder> {
    await fs.mkdir(folder, { recursive: true, mode: 0o700 });
    return new SegmentFolder(folder, await OwnerLock.acquire(folder), unreadable);
  }

  /** A path for the next segment of this process. */
  nextPath(): string {
    this.nextNumber += 1;
    return path.join(this.path, `${this.lock.owner}-${this.nextNumber}.queue`);
  }

  /**
   * Takes over the segments of owners that have ended, in the order in which each was written. Each is handed to `take` at once:
   * it has the name of this process, from which nobody else takes it, whatever fails afterwards.
   */
  async claim(take: (segment: Segment) => void): Promise<void> {
    const files = await fs.readdir(this.path);
    const owners = new Set(files.flatMap((file) => segmentName.exec(file)?.[1] ?? ownerOfLock(file) ?? []));
    owners.delete(this.lock.owner);
    const before = this.nextNumber;
    for (const owner of owners)
      await this.unreadable.attempt(lockPathOf(this.path, owner), () => this.claimOf(owner, files, take));
    if (this.nextNumber > before) await this.sync();
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

  private async claimOf(owner: string, files: readonly string[], take: (segment: Segment) => void): Promise<void> {
    if (await isAlive(this.path, owner)) return;
    const numbers = files.flatMap((file) => {
      const [, named, number, kind] = segmentName.exec(file) ?? [];
      return named === owner && kind === 'queue' ? Number(number) : [];
    });
    for (const number of numbers.sort((a, b) => a - b)) {
      const from = path.join(this.path, `${owner}-${number}.queue`);
      await this.unreadable.attempt(from, () => this.claimSegment(from, take));
    }
    await this.removeRemains(owner);
  }

  /** A segment that this process cannot read stays where it is, for one that can. */
  private async claimSegment(from: string, take: (segment: Segment) => void): Promise<void> {
    const file = await opened(from);
    if (!file) return;
    try {
      const done = await readMarks(marksPathOf(from));
      const to = this.nextPath();
      if (!(await renamed(from, to))) return;
      // Not before the rename: an owner that was wrongly taken for dead confirms what it has written until then.
      const { size } = await file.stat();
      take(Segment.claimed(to, size, done));
      await renamed(marksPathOf(from), marksPathOf(to));
    } finally {
      await file.close();
    }
  }

  /** Removes the lock of a dead owner and marks without a segment, once no segment of it is left. */
  private async removeRemains(owner: string): Promise<void> {
    const left = (await fs.readdir(this.path)).filter((file) => segmentName.exec(file)?.[1] === owner);
    if (left.some((file) => file.endsWith('.queue'))) return;
    for (const file of left) await fs.rm(path.join(this.path, file), { force: true });
    await removeLock(this.path, owner);
  }
}

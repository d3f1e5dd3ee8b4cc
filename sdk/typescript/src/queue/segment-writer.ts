import * as fs from 'node:fs/promises';
import { Position, Segment } from './segment';
import { SegmentFolder } from './segment-folder';

interface Waiting {
  readonly line: Buffer;
  /** The record's place until now, when it is written again. */
  readonly moved?: Position;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Appends lines to segments of this process. Lines that wait at the same time share one write and one fsync; each is
 * confirmed only after it. A failed segment is left and never written again, because after a failed fsync nobody knows
 * what the disk has.
 */
export class SegmentWriter {
  private waiting: Waiting[] = [];
  private writing?: Promise<void>;
  private file?: fs.FileHandle;
  private segment?: Segment;

  constructor(
    private readonly folder: SegmentFolder,
    private readonly segmentBytes: number,
    private readonly onSegment: (segment: Segment) => void,
  ) {}

  /** Resolves when the line is on disk. A record that is moved has its new place then, and is not read a second time. */
  append(line: Buffer, moved?: Position): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ line, moved, resolve, reject });
      this.writing ??= this.writeAll();
    });
  }

  /** Waits for what is being written, and ends the segment. */
  async close(): Promise<void> {
    await this.writing;
    await this.leave();
  }

  private async writeAll(): Promise<void> {
    // Lines of the same turn of the event loop go together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.waiting.length > 0) {
      const group = this.waiting;
      this.waiting = [];
      try {
        await this.writeGroup(group);
        for (const { resolve } of group) resolve();
      } catch (error) {
        await this.leave().catch(() => undefined);
        for (const { reject } of group) reject(error);
      }
    }
    this.writing = undefined;
  }

  private async writeGroup(group: readonly Waiting[]): Promise<void> {
    const bytes = Buffer.concat(group.map(({ line }) => line));
    if (this.segment && this.segment.bytes >= this.segmentBytes) await this.leave();
    for (let isStored = false; !isStored;) {
      const { file, segment } = await this.current();
      await file.appendFile(bytes);
      await file.datasync();
      // Somebody who believed this process dead may have taken the file and read it before these bytes came.
      isStored = await isStillAt(file, segment.path);
      if (isStored) commit(segment, group);
      else await this.leave();
    }
  }

  private async current(): Promise<{ file: fs.FileHandle; segment: Segment }> {
    if (!this.file || !this.segment) {
      const path = this.folder.nextPath();
      this.file = await fs.open(path, 'ax', 0o600);
      this.segment = Segment.written(path);
      this.onSegment(this.segment);
      await this.folder.sync();
    }
    return { file: this.file, segment: this.segment };
  }

  private async leave(): Promise<void> {
    const { file, segment } = this;
    this.file = this.segment = undefined;
    if (segment) segment.isClosed = true;
    await file?.close();
  }
}

function commit(segment: Segment, group: readonly Waiting[]): void {
  let offset = segment.bytes;
  for (const { line, moved } of group) {
    if (moved) segment.adopt(moved, offset);
    offset += line.length;
  }
  segment.commit(offset);
}

async function isStillAt(file: fs.FileHandle, path: string): Promise<boolean> {
  const [opened, named] = await Promise.all([file.stat(), fs.stat(path).catch(() => undefined)]);
  return named?.ino === opened.ino && named.dev === opened.dev;
}

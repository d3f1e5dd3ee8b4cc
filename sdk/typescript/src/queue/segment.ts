import * as fs from 'node:fs/promises';
import { decodeLine } from './record-line';

/** Where a record is. The queue moves records that wait for long: the fields change, the object stays. */
export interface Position {
  segment: Segment;
  offset: number;
}

/** A record that was read: its text, or a line that is not what was written. */
export type ReadRecord = { readonly position: Position } & ({ readonly text: string } | { readonly damaged: string });

/** What one step of reading found. */
export interface SegmentChunk {
  readonly records: readonly ReadRecord[];
  /** Bytes of a last line that was not written completely: nobody was told that it is stored. */
  readonly tornBytes: number;
}

/** Longer than any line: a record has at most 64 KiB. */
const chunkBytes = 256 * 1024;

/** A file of records, which one process appends to, and a file with the offsets of those that are done. */
export class Segment {
  /** Nothing is appended any more. */
  isClosed = false;
  private readBytes = 0;
  private committedBytes = 0;
  private recordsRead = 0;
  /** Records that are in hand, by offset. */
  private readonly inHand = new Map<number, Position>();
  /** Offsets that reading leaves out. */
  private readonly left = new Set<number>();
  private file?: fs.FileHandle;

  private constructor(
    readonly path: string,
    private readonly donePath: string,
  ) {}

  /** The segment that this process writes at a path. */
  static written(path: string): Segment {
    return new Segment(path, donePathOf(path));
  }

  /** A segment that another process has written, with what is known to be done. */
  static async claimed(path: string): Promise<Segment> {
    const segment = new Segment(path, donePathOf(path));
    segment.isClosed = true;
    segment.committedBytes = (await fs.stat(path)).size;
    const done = await fs.readFile(segment.donePath, 'utf8').catch(() => '');
    // A mark has an end of its own: a torn number would be another offset.
    for (const [, offset] of done.matchAll(/^(\d+);$/gm)) segment.left.add(Number(offset));
    if (done !== '' && !done.endsWith('\n')) await fs.appendFile(segment.donePath, '\n');
    return segment;
  }

  get bytes(): number {
    return this.committedBytes;
  }

  get unreadBytes(): number {
    return this.committedBytes - this.readBytes;
  }

  /** How many records were read and are not done. */
  get pending(): number {
    return this.inHand.size;
  }

  /** Whether no record of it is needed any more. */
  get isFinished(): boolean {
    return this.isClosed && this.unreadBytes === 0 && this.inHand.size === 0;
  }

  /** Whether most of it is done, and the rest could be elsewhere. */
  get isSparse(): boolean {
    return this.isClosed && this.unreadBytes === 0 && this.inHand.size * 4 <= this.recordsRead;
  }

  /** Bytes up to here are on disk and may be read. */
  commit(bytes: number): void {
    this.committedBytes = bytes;
  }

  /** The records that are in hand. */
  positions(): Position[] {
    return [...this.inHand.values()];
  }

  /** Takes over a record that was written here again. */
  adopt(position: Position, offset: number): void {
    position.segment.inHand.delete(position.offset);
    position.segment = this;
    position.offset = offset;
    this.inHand.set(offset, position);
    this.left.add(offset);
  }

  /** Reads on from where the last step ended; records that are done are left out. */
  async readOn(): Promise<SegmentChunk> {
    const bytes = await this.readAt(this.readBytes, Math.min(chunkBytes, this.unreadBytes));
    const end = bytes.lastIndexOf(0x0a) + 1;
    const records: ReadRecord[] = [];
    for (let at = 0; at < end;) {
      const lineEnd = bytes.indexOf(0x0a, at);
      const offset = this.readBytes + at;
      this.recordsRead += 1;
      if (!this.left.delete(offset)) records.push(recordOf({ segment: this, offset }, bytes.subarray(at, lineEnd)));
      at = lineEnd + 1;
    }
    for (const { position } of records) this.inHand.set(position.offset, position);
    this.readBytes = end > 0 ? this.readBytes + end : this.committedBytes;
    return { records, tornBytes: end > 0 ? 0 : bytes.length };
  }

  /** Reads one record again. */
  async readRecord(position: Position): Promise<ReadRecord> {
    const bytes = await this.readAt(position.offset, Math.min(chunkBytes, this.committedBytes - position.offset));
    return recordOf(position, bytes.subarray(0, bytes.indexOf(0x0a)));
  }

  /** Notes records that are done. It is not forced to disk: what is lost of it is sent twice, which changes nothing. */
  async markDone(offsets: readonly number[]): Promise<void> {
    for (const offset of offsets) this.inHand.delete(offset);
    await fs.appendFile(this.donePath, offsets.map((offset) => `${offset};\n`).join(''), { mode: 0o600 });
  }

  /** Removes both files. */
  async remove(): Promise<void> {
    await this.close();
    await fs.rm(this.path, { force: true });
    await fs.rm(this.donePath, { force: true });
  }

  async close(): Promise<void> {
    await this.file?.close();
    this.file = undefined;
  }

  private async readAt(position: number, length: number): Promise<Buffer> {
    this.file ??= await opened(this.path);
    if (!this.file) return Buffer.alloc(0);
    const { buffer, bytesRead } = await this.file.read(Buffer.allocUnsafe(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  }
}

/** The file of marks of a segment. */
export function donePathOf(path: string): string {
  return path.replace(/\.queue$/, '.done');
}

/** Another process may have taken the file, which then sends what is in it. */
async function opened(path: string): Promise<fs.FileHandle | undefined> {
  try {
    return await fs.open(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function recordOf(position: Position, line: Buffer): ReadRecord {
  const text = decodeLine(line);
  return text === undefined ? { position, damaged: line.toString('utf8') } : { position, text };
}

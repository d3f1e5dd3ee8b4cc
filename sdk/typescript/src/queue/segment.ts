import * as fs from 'node:fs/promises';
import { maxEventBytes } from '../api/partner-event';
import { appendMarks, marksPathOf } from './done-marks';
import { decodeLine, encodeLine } from './record-line';
import { opened, renamed } from './shared-files';

/** Where a record is. The queue moves records that wait for long: the fields change, the object stays. */
export interface Position {
  segment: Segment;
  offset: number;
  /** Bytes of its line, with the line feed. */
  readonly length: number;
}

/** A record that was read: its text, or a line that is not what was written. */
export type ReadRecord = { readonly position: Position } & ({ readonly text: string } | { readonly damaged: string });

/** What one step of reading found. */
export interface SegmentChunk {
  readonly records: readonly ReadRecord[];
  /** Bytes of a last line that was not written completely: nobody was told that it is stored. */
  readonly tornBytes: number;
}

/** What one step reads; longer than any line. */
const chunkBytes = 256 * 1024;
const longestLineBytes = maxEventBytes + encodeLine('').length;
/** Of a damaged area, for the person who looks at it; all of it stays in the file. */
const shownBytes = 4 * 1024;

/** A file of records, which one process appends to, and a file with the offsets of those that are done. */
export class Segment {
  /** Nothing is appended any more. */
  isClosed = false;
  private readBytes = 0;
  private committedBytes = 0;
  private recordsRead = 0;
  /** An area without lines was passed over. */
  private hasDamagedArea = false;
  /** Records that are in hand, by offset. */
  private readonly inHand = new Map<number, Position>();
  private file?: Promise<fs.FileHandle | undefined>;

  private constructor(
    readonly path: string,
    /** Offsets that reading leaves out. */
    private readonly left: Set<number>,
  ) {}

  /** The segment that this process writes at a path. */
  static written(path: string): Segment {
    return new Segment(path, new Set());
  }

  /** A segment that another process has written, with its size and the offsets that are done. */
  static claimed(path: string, bytes: number, done: Set<number>): Segment {
    const segment = new Segment(path, done);
    segment.isClosed = true;
    segment.committedBytes = bytes;
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
    const length = Math.min(chunkBytes, this.unreadBytes);
    const bytes = await this.readAt(this.readBytes, length);
    const end = bytes.lastIndexOf(0x0a) + 1;
    if (bytes.length > longestLineBytes && end === 0) return this.passOverDamage(bytes);
    const records: ReadRecord[] = [];
    for (let at = 0; at < end;) {
      const lineEnd = bytes.indexOf(0x0a, at);
      const offset = this.readBytes + at;
      this.recordsRead += 1;
      const position = { segment: this, offset, length: lineEnd + 1 - at };
      if (!this.left.delete(offset)) records.push(recordOf(position, bytes.subarray(at, lineEnd)));
      at = lineEnd + 1;
    }
    for (const { position } of records) this.inHand.set(position.offset, position);
    this.readBytes += end > 0 ? end : length;
    return { records, tornBytes: end > 0 ? 0 : bytes.length };
  }

  /** Reads one record again. */
  async readRecord(position: Position): Promise<ReadRecord> {
    const bytes = await this.readAt(position.offset, Math.min(chunkBytes, position.length));
    return recordOf(position, bytes.subarray(0, -1));
  }

  /** Notes records that are done. It is not forced to disk: what is lost of it is sent twice, which changes nothing. */
  async markDone(offsets: readonly number[]): Promise<void> {
    for (const offset of offsets) this.inHand.delete(offset);
    await appendMarks(marksPathOf(this.path), offsets);
  }

  /** Removes both files. One with a damaged area is kept under another name, which is returned. */
  async remove(): Promise<string | undefined> {
    await this.close();
    const kept = `${this.path}.damaged`;
    const isKept = this.hasDamagedArea && (await renamed(this.path, kept));
    await fs.rm(this.path, { force: true });
    await fs.rm(marksPathOf(this.path), { force: true });
    return isKept ? kept : undefined;
  }

  async close(): Promise<void> {
    const { file } = this;
    this.file = undefined;
    await (await file)?.close();
  }

  /** An area longer than a line, without a line feed, is one damaged record; reading goes on behind its end. */
  private async passOverDamage(first: Buffer): Promise<SegmentChunk> {
    let length = first.length;
    for (let isOver = false; !isOver && length < this.unreadBytes;) {
      const bytes = await this.readAt(this.readBytes + length, Math.min(chunkBytes, this.unreadBytes - length));
      const lineEnd = bytes.indexOf(0x0a);
      length += lineEnd < 0 ? bytes.length : lineEnd + 1;
      isOver = lineEnd >= 0 || bytes.length === 0;
    }
    const position = { segment: this, offset: this.readBytes, length };
    this.readBytes += length;
    this.recordsRead += 1;
    this.hasDamagedArea = true;
    if (this.left.delete(position.offset)) return { records: [], tornBytes: 0 };
    this.inHand.set(position.offset, position);
    return { records: [recordOf(position, first.subarray(0, shownBytes))], tornBytes: 0 };
  }

  /** Bytes of the file; fewer only at its end. A disk that cannot return all of them may return some. */
  private async readAt(position: number, length: number): Promise<Buffer> {
    const file = await this.opened();
    if (!file) return Buffer.alloc(0);
    const buffer = Buffer.allocUnsafe(length);
    let read = 0;
    for (let isEnd = false; !isEnd && read < length;) {
      const { bytesRead } = await file.read(buffer, read, length - read, position + read);
      read += bytesRead;
      isEnd = bytesRead === 0;
    }
    return buffer.subarray(0, read);
  }

  /** The file, opened once: many records are read at the same time. */
  private async opened(): Promise<fs.FileHandle | undefined> {
    this.file ??= opened(this.path);
    try {
      return await this.file;
    } catch (error) {
      this.file = undefined;
      throw error;
    }
  }
}

function recordOf(position: Position, line: Buffer): ReadRecord {
  const text = decodeLine(line);
  return text === undefined ? { position, damaged: line.toString('utf8') } : { position, text };
}

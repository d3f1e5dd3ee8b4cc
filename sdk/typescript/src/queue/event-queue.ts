import { EncodedEvent, decodeEvent } from '../api/partner-event';
import { QueueError } from '../errors/podium-error';
import { groupsOf } from './position-groups';
import { encodeLine } from './record-line';
import { Position, ReadRecord, Segment } from './segment';
import { SegmentFolder } from './segment-folder';
import { SegmentWriter } from './segment-writer';
import { UnreadableFiles } from './unreadable-files';

/** Limits of a queue, and what it reports. */
export interface EventQueueOptions {
  readonly folder: string;
  /** Most bytes of events on disk; more are refused. */
  readonly maxBytes: number;
  /** Size at which a new segment begins. */
  readonly segmentBytes: number;
  /** Segments of a process that has ended were taken over. */
  readonly onClaimed: (segments: number, bytes: number) => void;
  /** A last line was not written completely; nobody was told that it is stored. */
  readonly onTornLine: (bytes: number) => void;
  /** All that can be read of a segment is done; the rest is in this file. */
  readonly onDamagedFile: (path: string) => void;
  /** A file of the folder cannot be read: its events wait, and the others are sent. */
  readonly onUnreadable: (error: QueueError) => void;
}

/** An event in hand: it stays in the queue until it is done. */
export interface QueuedEvent {
  readonly position: Position;
  readonly event: EncodedEvent;
}

/** A line that is not what was written. */
export interface DamagedRecord {
  readonly position: Position;
  readonly damaged: string;
}

/** What there is to send. */
export interface NextEvents {
  readonly events: readonly QueuedEvent[];
  readonly damaged: readonly DamagedRecord[];
}

/** What is moved with one fsync. */
const movedBytes = 256 * 1024;

/**
 * Events on disk. An event is in it from the moment `append` resolves until it is done, through any end of the process.
 * Memory holds what is in hand, and little of the rest.
 */
export class EventQueue {
  private readonly segments: Segment[] = [];
  private readonly writer: SegmentWriter;
  private released: Position[] = [];
  /** To be released when their files can be read. */
  private unreadablePositions: Position[] = [];
  private appendingBytes = 0;

  private constructor(
    private readonly folder: SegmentFolder,
    private readonly unreadable: UnreadableFiles,
    private readonly options: EventQueueOptions,
  ) {
    this.writer = new SegmentWriter(folder, options.segmentBytes, (segment) => this.segments.push(segment));
  }

  /** Opens the queue of a folder, with the events that processes before have left. */
  static async open(options: EventQueueOptions): Promise<EventQueue> {
    const unreadable = new UnreadableFiles(options.onUnreadable);
    const queue = new EventQueue(await SegmentFolder.open(options.folder, unreadable), unreadable, options);
    try {
      await queue.claim();
      return queue;
    } catch (error) {
      // What was taken over is free again for the next one.
      await queue.close();
      throw error;
    }
  }

  /** Resolves when the event is on disk; rejects with QueueError when it is not, or may not be. */
  async append(event: EncodedEvent): Promise<void> {
    const line = encodeLine(event.body);
    const { maxBytes } = this.options;
    if (this.bytes + this.appendingBytes + line.length > maxBytes)
      throw new QueueError({
        code: 'queue_full',
        message: `The queue holds ${this.bytes} bytes, of at most ${maxBytes}. Find out why events are not sent.`,
        eventId: event.id,
      });
    this.appendingBytes += line.length;
    try {
      await this.writer.append(line);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      const message = `The event could not be stored: ${reason}. Hand it over again with the same id.`;
      throw new QueueError({ code: 'queue_failed', message, cause, eventId: event.id });
    } finally {
      this.appendingBytes -= line.length;
    }
  }

  /** Bytes on disk. */
  get bytes(): number {
    return this.segments.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Bytes of events that are not in hand yet. */
  get unreadBytes(): number {
    return this.segments.reduce((sum, { unreadBytes }) => sum + unreadBytes, 0);
  }

  /** Whether `next` would find something. */
  get hasNext(): boolean {
    return this.released.length > 0 || this.readable() !== undefined;
  }

  /** Whether every event is done. */
  get isEmpty(): boolean {
    return this.segments.every(({ unreadBytes, pending }) => unreadBytes === 0 && pending === 0);
  }

  /** Takes the next events in hand: a few hundred at most. */
  async next(): Promise<NextEvents> {
    if (this.released.length === 0) return sorted(await this.readOn());
    return this.readAt(this.released.splice(0, 200));
  }

  /** Reads events again that are in hand. What cannot be read is left out, and returned by `next` once it can be. */
  async readAt(positions: readonly Position[]): Promise<NextEvents> {
    const records = await Promise.all(positions.map((position) => this.readRecord(position)));
    this.unreadablePositions.push(...positions.filter((_, at) => !records[at]));
    return sorted(records.filter((record) => record !== undefined));
  }

  /** Gives back events that were kept in hand without their content; `next` returns them again. */
  release(positions: readonly Position[]): void {
    for (const position of positions) this.released.push(position);
  }

  /** Removes events for good. */
  async done(positions: readonly Position[]): Promise<void> {
    const bySegment = new Map<Segment, number[]>();
    for (const { segment, offset } of positions) {
      const offsets = bySegment.get(segment);
      if (offsets) offsets.push(offset);
      else bySegment.set(segment, [offset]);
    }
    const failures: unknown[] = [];
    for (const [segment, offsets] of bySegment)
      await segment.markDone(offsets).catch((error: unknown) => failures.push(error));
    // That makes room on a full disk.
    await this.removeFinished();
    if (failures.length > 0) throw failures[0];
  }

  /**
   * Takes over events of processes that have ended, tries again what could not be read, and moves the rest of segments that
   * are mostly done; at the signal it moves no more.
   */
  async tidy(signal?: AbortSignal): Promise<void> {
    this.unreadable.tryAgain();
    this.release(this.unreadablePositions.splice(0));
    await this.claim();
    for (const segment of this.segments.filter(({ isSparse }) => isSparse))
      for (const group of groupsOf(segment.positions(), movedBytes)) {
        if (signal?.aborted) return;
        await Promise.all(group.map((position) => this.move(position)));
      }
    await this.removeFinished();
  }

  /** Resolves when all that was handed over is on disk. */
  async finishAppending(): Promise<void> {
    await this.writer.close();
  }

  /** Ends the use of the folder; what is not done stays there for the next process. */
  async close(): Promise<void> {
    try {
      await this.writer.close();
      await this.removeFinished();
      for (const segment of this.segments) await segment.close();
    } finally {
      await this.folder.close();
    }
  }

  private async claim(): Promise<void> {
    const claimed: Segment[] = [];
    try {
      await this.folder.claim((segment) => claimed.push(segment));
    } finally {
      // Older events first.
      this.segments.unshift(...claimed);
      const bytes = claimed.reduce((sum, segment) => sum + segment.bytes, 0);
      if (claimed.length > 0) this.options.onClaimed(claimed.length, bytes);
    }
  }

  /** The next segment with bytes that were not read and, as far as is known, can be. */
  private readable(): Segment | undefined {
    return this.segments.find(({ unreadBytes, path }) => unreadBytes > 0 && !this.unreadable.has(path));
  }

  private async readOn(): Promise<readonly ReadRecord[]> {
    for (let segment = this.readable(); segment; segment = this.readable()) {
      const { path } = segment;
      const chunk = await this.unreadable.attempt(path, segment.readOn.bind(segment));
      if (!chunk) continue;
      if (chunk.tornBytes > 0) this.options.onTornLine(chunk.tornBytes);
      // All of it may have been done before.
      if (chunk.records.length === 0) await this.removeFinished();
      return chunk.records;
    }
    return [];
  }

  private readRecord(position: Position): Promise<ReadRecord | undefined> {
    return this.unreadable.attempt(position.segment.path, () => position.segment.readRecord(position));
  }

  private async move(position: Position): Promise<void> {
    const record = await this.readRecord(position);
    if (record && 'text' in record) await this.writer.append(encodeLine(record.text), position);
  }

  private async removeFinished(): Promise<void> {
    for (const segment of this.segments.filter(({ isFinished }) => isFinished)) {
      this.segments.splice(this.segments.indexOf(segment), 1);
      const kept = await segment.remove();
      if (kept) this.options.onDamagedFile(kept);
    }
  }
}

/** Records as events, and those that are none. */
function sorted(records: readonly ReadRecord[]): NextEvents {
  const events: QueuedEvent[] = [];
  const damaged: DamagedRecord[] = [];
  for (const record of records) {
    const event = 'text' in record ? decodeEvent(record.text) : undefined;
    if (event) events.push({ position: record.position, event });
    else damaged.push({ position: record.position, damaged: 'text' in record ? record.text : record.damaged });
  }
  return { events, damaged };
}

import { EncodedEvent, decodeEvent } from '../api/partner-event';
import { QueueError } from '../errors/podium-error';
import { encodeLine } from './record-line';
import { Position, ReadRecord, Segment } from './segment';
import { SegmentFolder } from './segment-folder';
import { SegmentWriter } from './segment-writer';

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

/**
 * Events on disk. An event is in it from the moment `append` resolves until it is done, through any end of the process.
 * Memory holds what is in hand, and little of the rest.
 */
export class EventQueue {
  private readonly segments: Segment[] = [];
  private readonly writer: SegmentWriter;
  private released: Position[] = [];
  private appendingBytes = 0;

  private constructor(
    private readonly folder: SegmentFolder,
    private readonly options: EventQueueOptions,
  ) {
    this.writer = new SegmentWriter(folder, options.segmentBytes, (segment) => this.segments.push(segment));
  }

  /** Opens the queue of a folder, with the events that processes before have left. */
  static async open(options: EventQueueOptions): Promise<EventQueue> {
    const queue = new EventQueue(await SegmentFolder.open(options.folder), options);
    await queue.claim();
    return queue;
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
    return this.released.length > 0 || this.segments.some(({ unreadBytes }) => unreadBytes > 0);
  }

  /** Takes the next events in hand: a few hundred at most. */
  async next(): Promise<NextEvents> {
    if (this.released.length === 0) return sorted(await this.readOn());
    const next = await this.readAt(this.released.slice(0, 200));
    this.released.splice(0, 200);
    return next;
  }

  /** Reads events again that are in hand. */
  async readAt(positions: readonly Position[]): Promise<NextEvents> {
    return sorted(await Promise.all(positions.map((position) => position.segment.readRecord(position))));
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
    for (const [segment, offsets] of bySegment) await segment.markDone(offsets);
    await this.removeFinished();
  }

  /** Takes over events of processes that have ended, and moves the rest of segments that are mostly done. */
  async tidy(): Promise<void> {
    await this.claim();
    for (const segment of this.segments.filter(({ isSparse }) => isSparse))
      for (const position of segment.positions()) {
        const record = await segment.readRecord(position);
        if ('text' in record) await this.writer.append(encodeLine(record.text), position);
      }
    await this.removeFinished();
  }

  /** Resolves when all that was handed over is on disk. */
  async finishAppending(): Promise<void> {
    await this.writer.close();
  }

  /** Ends the use of the folder; what is not done stays there for the next process. */
  async close(): Promise<void> {
    await this.writer.close();
    await this.removeFinished();
    for (const segment of this.segments) await segment.close();
    await this.folder.close();
  }

  private async claim(): Promise<void> {
    const claimed = await this.folder.claim();
    if (claimed.length === 0) return;
    // Older events first.
    this.segments.unshift(...claimed);
    this.options.onClaimed(
      claimed.length,
      claimed.reduce((sum, { bytes }) => sum + bytes, 0),
    );
  }

  private async readOn(): Promise<readonly ReadRecord[]> {
    const segment = this.segments.find(({ unreadBytes }) => unreadBytes > 0);
    if (!segment) return [];
    const { records, tornBytes } = await segment.readOn();
    if (tornBytes > 0) this.options.onTornLine(tornBytes);
    // All of it may have been done before.
    if (records.length === 0) await this.removeFinished();
    return records;
  }

  private async removeFinished(): Promise<void> {
    for (const segment of this.segments.filter(({ isFinished }) => isFinished)) {
      this.segments.splice(this.segments.indexOf(segment), 1);
      await segment.remove();
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

import { StreamableFile } from '@nestjs/common';
import { CodedError } from '@podium/messages';
import { Readable } from 'node:stream';
import { Report } from './report';
import { ReadPart, ReportKey, ReportPart, cursorOf } from './report-part';

/** Items that an export reads at once. What a report holds to compute them, it bounds itself. */
const itemsAtOnce = 200;

/** The most exports of a process at the same time, because each occupies a connection of the gateway and work of the engine. */
const maxExports = 4;

/** The most of them that one organizer has: the others' do not wait until its own have ended. */
const maxOfOrganizer = 2;

/** Streams reports as NDJSON, one item and its cursor per line. */
export class Exports {
  /** The organizers of the running ones. */
  private readonly running: string[] = [];

  /** A report as the file that a controller answers with; rejects as `stream` does. */
  async file<Item extends object>(report: Report<Item>): Promise<StreamableFile> {
    return new StreamableFile(await this.stream(report), { type: 'application/x-ndjson' });
  }

  /**
   * The lines of a report. A further part is read only once the reader has taken the one before, and none after
   * the stream was destroyed. Rejects when the first part cannot be read, and with `rate_limited` while too many exports run.
   */
  async stream<Item extends object>({ read, after, organizerId }: Report<Item>): Promise<Readable> {
    const end = this.begin(organizerId);
    try {
      const lines = linesOf(read, after);
      const first = await lines.next();
      const stream = Readable.from(withFirst(first, lines), { objectMode: false });
      stream.once('close', end);
      return stream;
    } catch (error) {
      end();
      throw error;
    }
  }

  /** Takes a slot; the result frees it. */
  private begin(organizerId: string): () => void {
    const isOwn = (each: string): boolean => each === organizerId;
    const isFull = this.running.length >= maxExports;
    if (isFull || this.running.filter(isOwn).length >= maxOfOrganizer)
      throw new CodedError('rate_limited', {
        message: `Too many exports ${isFull ? '' : 'of this organizer '}are running. Retry in a minute.`,
        retryAfterS: 60,
      });
    this.running.push(organizerId);
    return () => void this.running.splice(this.running.findIndex(isOwn), 1);
  }
}

async function* linesOf<Item extends object>(read: ReadPart<Item>, after: ReportKey | null): AsyncGenerator<string> {
  let next = after;
  do {
    const part = await read(next, itemsAtOnce);
    yield textOf(part);
    next = part.next;
  } while (next !== null);
}

/**
 * A part without items shows that the export continues while it finds none: a silent connection would be closed. It has a cursor
 * like an item, so that an export which is cut off there does not search the same users again.
 */
function textOf<Item extends object>({ items, next }: ReportPart<Item>): string {
  if (items.length > 0)
    return items.map(({ key, item }) => `${JSON.stringify({ ...item, cursor: cursorOf(key) })}\n`).join('');
  return next === null ? '\n' : `${JSON.stringify({ cursor: cursorOf(next) })}\n`;
}

async function* withFirst(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  if (first.done !== true) yield first.value;
  yield* rest;
}

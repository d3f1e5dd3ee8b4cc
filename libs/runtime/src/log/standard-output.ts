import { write, writeSync } from 'node:fs';
import { DestinationStream } from 'pino';

/** Bytes of lines that wait while standard output takes none; later lines are lost. */
const mostWaitingBytes = 1024 * 1024;

/** Pause before a full pipe is tried again, milliseconds, and how often the end of the process waits for it. */
const fullPipePauseMs = 50;
const pausesAtTheEnd = 20;

/** Those that the end of the process flushes, with one listener for all. */
const outputs = new Set<StandardOutput>();

/**
 * Standard output for the lines of the log. Where it takes none (its disk is full, its pipe is full or has no reader), lines are
 * lost, and the process goes on. The stream that pino has by default ends the process then, or lets it hang: its last flush
 * repeats a failed write for ever.
 */
export class StandardOutput implements DestinationStream {
  private waiting: Buffer[] = [];
  private waitingBytes = 0;
  private isWriting = false;
  private lost = 0;

  constructor(
    /** Called when lines can be written again, with the number of lines that were lost. */
    private readonly onLost: (lines: number) => void,
    private readonly fd = 1,
  ) {
    if (outputs.size === 0) process.once('exit', () => outputs.forEach((output) => output.flushSync()));
    outputs.add(this);
  }

  write(line: string): void {
    const bytes = Buffer.from(line);
    if (this.waitingBytes + bytes.length > mostWaitingBytes) return void this.lost++;
    this.waiting.push(bytes);
    this.waitingBytes += bytes.length;
    if (!this.isWriting) this.writeNext();
  }

  /**
   * Writes what waits before it returns; pino calls it after a fatal line. A write in progress is left to the system, which ends it
   * before the process.
   */
  flushSync(): void {
    const at = this.isWriting ? 1 : 0;
    for (let pauses = 0; this.waiting.length > at;)
      try {
        this.written(at, writeSync(this.fd, this.waiting[at]));
      } catch (error) {
        if (isFull(error) && pauses++ < pausesAtTheEnd) pauseSync(fullPipePauseMs);
        else this.lose(at);
      }
  }

  private writeNext(): void {
    this.isWriting = true;
    // All that waits is one write: a line each would cost more than making it.
    if (this.waiting.length > 1) this.waiting = [Buffer.concat(this.waiting)];
    const [bytes] = this.waiting;
    write(this.fd, bytes, (error, count) => {
      this.isWriting = false;
      if (isFull(error)) return void setTimeout(() => this.writeNextIfAny(), fullPipePauseMs).unref();
      if (error) this.lose(0);
      else this.written(0, count);
      this.writeNextIfAny();
    });
  }

  private writeNextIfAny(): void {
    if (this.waiting.length > 0 && !this.isWriting) this.writeNext();
  }

  private written(at: number, count: number): void {
    this.waitingBytes -= count;
    const bytes = this.waiting[at];
    if (count < bytes.length) this.waiting[at] = bytes.subarray(count);
    else this.waiting.splice(at, 1);
    if (this.lost === 0 || this.waiting.length > 0) return;
    const { lost } = this;
    this.lost = 0;
    this.onLost(lost);
  }

  private lose(at: number): void {
    const [bytes] = this.waiting.splice(at, 1);
    this.waitingBytes -= bytes.length;
    this.lost += bytes.toString().split('\n').length - 1;
  }
}

function isFull(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === 'EAGAIN';
}

function pauseSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

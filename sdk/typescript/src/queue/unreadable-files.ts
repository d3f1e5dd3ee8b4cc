import { QueueError } from '../errors/podium-error';

/**
 * Files of the folder that cannot be read, such as those of another user. Each concerns only itself: it is reported once, and
 * left alone until `tryAgain`, while the others are read.
 */
export class UnreadableFiles {
  private readonly leftAlone = new Set<string>();
  private readonly reported = new Set<string>();

  constructor(private readonly onUnreadable: (error: QueueError) => void) {}

  /** Whether a file is left alone. */
  has(path: string): boolean {
    return this.leftAlone.has(path);
  }

  /** What `read` resolves with; undefined when the file cannot be read, or is left alone. */
  async attempt<T>(path: string, read: () => Promise<T>): Promise<T | undefined> {
    if (this.leftAlone.has(path)) return undefined;
    try {
      const result = await read();
      this.reported.delete(path);
      return result;
    } catch (cause) {
      this.leftAlone.add(path);
      if (!this.reported.has(path)) this.report(path, cause);
      return undefined;
    }
  }

  /** The next attempt at each file takes place. */
  tryAgain(): void {
    this.leftAlone.clear();
  }

  private report(path: string, cause: unknown): void {
    this.reported.add(path);
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message =
      `${path} cannot be read: ${reason}. Check its owner, its mode and the disk. ` +
      'Its events wait until it can be read; all others are sent.';
    this.onUnreadable(new QueueError({ code: 'queue_failed', message, cause }));
  }
}

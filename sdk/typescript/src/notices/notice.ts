import type { EventWarning } from '../api/parse-answer';
import type { PodiumError } from '../errors/podium-error';

/** What the SDK reports, for logs and metrics. `level` is that of a log line. */
export type Notice =
  /** `warn` when there are warnings. */
  | {
      readonly type: 'accepted';
      readonly level: 'debug' | 'warn';
      readonly eventId: string;
      readonly outcome: 'accepted' | 'duplicate';
      readonly droppedAttributes: readonly string[];
      readonly warnings: readonly EventWarning[];
    }
  /** The event is sent again after a delay. */
  | {
      readonly type: 'retried';
      readonly level: 'info';
      readonly eventId: string;
      readonly error: PodiumError;
      readonly attempt: number;
    }
  /** The event waits until its user is linked or its name negotiated. */
  | { readonly type: 'set_aside'; readonly level: 'warn'; readonly eventId: string; readonly error: PodiumError }
  /** The event is in the dead-letter file. */
  | { readonly type: 'dead_letter'; readonly level: 'error'; readonly eventId: string; readonly error: PodiumError }
  /** Nothing is sent: tell a person. */
  | { readonly type: 'paused'; readonly level: 'error'; readonly error: PodiumError; readonly nextTryInMs: number }
  | { readonly type: 'resumed'; readonly level: 'info' }
  /** Events of a process that ended are taken over. */
  | { readonly type: 'claimed'; readonly level: 'info'; readonly segments: number; readonly bytes: number }
  /** A line of the queue is damaged; it is in the dead-letter file. */
  | { readonly type: 'damaged_line'; readonly level: 'error' }
  /** A last line was not written completely; `enqueue` had not resolved for it. */
  | { readonly type: 'torn_line'; readonly level: 'warn'; readonly bytes: number }
  /** All that can be read of a file of the queue is sent; the rest is in the file with this path. */
  | { readonly type: 'damaged_file'; readonly level: 'error'; readonly path: string }
  /**
   * The queue's disk failed or is full: sending goes on, after a delay if events cannot be taken from it. Or one file cannot be
   * read: its events wait, and all others are sent.
   */
  | { readonly type: 'queue_failed'; readonly level: 'error'; readonly error: unknown };

/** Receives notices. It must not block; what it throws becomes a warning of the process. */
export type NoticeListener = (notice: Notice) => void;

/** A listener whose errors do not stop the sender. */
export function guarded(listener: NoticeListener | undefined): NoticeListener {
  const warn = (error: unknown): void =>
    process.emitWarning(`The listener of notices failed: ${String(error)}`, 'PodiumListenerWarning');
  return (notice) => {
    try {
      // The compiler takes an async function for a listener, too: its rejection would end the process.
      const returned: unknown = listener?.(notice);
      if (typeof returned === 'object') Promise.resolve(returned).catch(warn);
    } catch (error) {
      warn(error);
    }
  };
}

import { PodiumError } from '../errors/podium-error';
import { RetryClass } from '../errors/retry-class';
import { RecordReadError } from './input-records';
import { printable } from './printable';
import { Terminal } from './terminal';

/** An error with what a person needs to act on it. */
export function describeError({ code, message, requestId, docsUrl }: PodiumError): string {
  const lines = [`${code}: ${printable(message)}`, docsUrl, requestId && `Request id: ${printable(requestId)}`];
  return lines.filter(Boolean).join('\n');
}

/** What is printed of an error before the command waits. */
export function waitNote({ message }: PodiumError, waitMs: number): string {
  return `${printable(message)} Trying again in ${Math.ceil(waitMs / 1000)} s.`;
}

/** Why a command did not finish; undefined for an error that is not of Podium, the input or the disk. */
export function reasonOf(error: unknown): string | undefined {
  if (error instanceof PodiumError) return describeError(error);
  // Errors of the file system have the call that failed.
  const isKnown = error instanceof RecordReadError || (error instanceof Error && 'syscall' in error);
  return isKnown ? error.message : undefined;
}

/** What a person can do about an error of each class. */
export const fixes: Readonly<Record<RetryClass, string>> = {
  never: 'The same bytes cannot succeed: correct the event, and send it with the same id.',
  later:
    'The same event can succeed once its user is linked, its name negotiated, or its time no longer ahead: send it again then.',
  pause:
    'No event can succeed until key, address or integration are changed: podium-partner doctor looks for the cause.',
  now: 'Send the same event again: its id keeps it from counting twice.',
};

/** Runs a command; an error of Podium is printed with its code, its page and the request id, and the exit code is 1. */
export async function reportErrors(
  terminal: Terminal,
  end: (code: number) => void,
  run: () => Promise<void>,
): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof PodiumError)) throw error;
    terminal.err(`${describeError(error)}\n`);
    end(1);
  }
}

/** A failure that the user can fix: its message is one sentence with the problem and the remedy. */
export class StackFailure extends Error {
  /** `details` are printed below the sentence, for instance the last lines of a log. */
  constructor(
    sentence: string,
    readonly details?: string,
  ) {
    super(sentence);
    this.name = 'StackFailure';
  }
}

/** A step that did not end because the user stopped the command: nothing to report. */
export class Interrupted extends StackFailure {}

/** Prints an error of the stack to standard error: a sentence for a known failure, the stack trace for a bug. */
export function printFailure(error: unknown): void {
  if (error instanceof Interrupted) return;
  if (error instanceof StackFailure) {
    console.error(`\nError: ${error.message}`);
    if (error.details) console.error(error.details.replace(/^/gm, '    '));
    return;
  }
  console.error(error);
}

/** What the commands see of the process that runs them. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether a person can be asked. */
  readonly isInteractive: boolean;
  readonly ask: (question: string) => Promise<string>;
  /** All of the standard input. */
  readonly readStdin: () => Promise<string>;
}

/** A command was called with wrong options; the message says what to change. */
export class UsageError extends Error {}

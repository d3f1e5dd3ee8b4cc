/** What the commands see of the process that runs them. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Variables of the environment; none when missing. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The width of the terminal that shows `err`; missing when there is none. */
  readonly columns?: number;
  /** Whether a person can be asked. */
  readonly isInteractive: boolean;
  /** Rejects when the input ends before an answer. `isSecret`: what is typed is not shown. */
  readonly ask: (question: string, options?: { readonly isSecret: boolean }) => Promise<string>;
  /** All of the standard input. */
  readonly readStdin: () => Promise<string>;
}

/** A command was called with wrong options; the message says what to change. */
export class UsageError extends Error {}

/** The standard input ended while a person was asked. */
export class InputEndedError extends Error {}

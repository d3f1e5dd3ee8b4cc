import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { CliEnvironment } from './cli/cli-environment';

/** A command receives its arguments and environment, and returns the exit code. */
type Run = (args: readonly string[], environment: CliEnvironment) => Promise<number>;

/* eslint-disable @typescript-eslint/no-require-imports -- a Job of a release loads only its own command: the others need all apps. */
function commandOf(name: string): Run | undefined {
  switch (name) {
    case 'migrate':
      return (require('./migrate/migrate') as typeof import('./migrate/migrate')).migrateCommand;
    case 'topics':
      return (require('./topics/topics') as typeof import('./topics/topics')).topicsCommand;
    default:
      return undefined;
  }
}

function podium(): Run {
  return (require('./podium') as typeof import('./podium')).runPodium;
}
/* eslint-enable @typescript-eslint/no-require-imports */

/** As of a program that SIGPIPE has ended: not 0, because what the command would have found or done is not known. */
const readerGoneCode = 141;

/** The operators' command line on this process's terminal; sets the exit code. */
export async function operate(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // The reader of the output, such as head, may close it early, also when the command has ended.
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? readerGoneCode);
    process.stderr.write(`The output could not be written: ${error.message}\n`);
    process.exit(1);
  });
  // Notes and errors are lost with their reader or a full disk; the command goes on, and its exit code says how it ended.
  process.stderr.on('error', () => undefined);
  const [name = '', ...rest] = args;
  const command = commandOf(name);
  const environment = { env, ...terminal() };
  process.exitCode = await (command ? command(rest, environment) : podium()(args, environment));
}

function terminal(): Omit<CliEnvironment, 'env'> {
  return {
    readStdin: () => text(process.stdin),
    ask: askOnTerminal(),
    out: (line) => void process.stdout.write(line),
    err: (line) => void process.stderr.write(line),
  };
}

/** Prompts on the terminal; undefined without one. */
function askOnTerminal(): CliEnvironment['ask'] {
  if (!process.stdin.isTTY) return undefined;
  return async (question) => {
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return await terminal.question(question);
    } finally {
      terminal.close();
    }
  };
}

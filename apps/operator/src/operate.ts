import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { CliEnvironment } from './cli/cli-environment';

/** A command: its arguments, then what it works with; returns the exit code. */
type Run = (args: readonly string[], environment: CliEnvironment) => Promise<number>;

/* eslint-disable @typescript-eslint/no-require-imports -- Jobs of a release load their own command alone: the others need all apps. */
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

/** The operators' command line with this process's arguments, environment and terminal; sets the exit code. */
export async function operate(args: readonly string[]): Promise<void> {
  // Whoever reads the output may have enough of it, as head does.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    throw error;
  });
  const [name = '', ...rest] = args;
  const command = commandOf(name);
  process.exitCode = await (command ? command(rest, processEnvironment()) : podium()(args, processEnvironment()));
}

function processEnvironment(): CliEnvironment {
  return {
    env: process.env,
    readStdin: () => text(process.stdin),
    ask: askOnTerminal(),
    out: (line) => void process.stdout.write(line),
    err: (line) => void process.stderr.write(line),
  };
}

/** Asks on a terminal; undefined where there is none. */
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

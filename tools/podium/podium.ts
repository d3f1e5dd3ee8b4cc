import { createInterface } from 'node:readline/promises';
import { Command, CommanderError } from 'commander';
import { ApiError } from './api';
import { batchCommands } from './batches/commands';
import { contractCommands } from './contracts';
import { deadLetterCommands } from './dead-letters/commands';
import { definitionCommands } from './definitions';
import { eraseCommands } from './erase/commands';
import { failoverCommands } from './failover/commands';
import { integrationCommands } from './integrations';
import { keyCommands } from './keys';
import { lagCommand } from './lag/commands';
import { listCommands } from './lists';
import { replayCommands, verifyCommands } from './replay/commands';
import { republishCommands } from './republish/commands';
import { restoreCommands } from './restore/commands';
import { partnersCommand } from './partners';
import { statusCommand } from './status/commands';
import { Surroundings } from './surroundings';
import { UsageError } from './usage-error';
import { vaultCommand } from './vault';

const example = `
Examples:
  $ npm run podium -- status
  $ npm run podium -- partners
  $ npm run podium -- integrations list
  $ npm run podium -- contracts publish acme-bets --file contract.json
  $ npm run podium -- keys create acme-bets
  $ npm run podium -- tasks list --json
  $ npm run podium -- lag
  $ npm run podium -- dlq list

Address and token: --url and --token, else PODIUM_URL and PODIUM_TOKEN, else the local stack's .stack/stack.json.
Commands on Kafka or Postgres themselves say in their --help how to reach them.`;

/** Runs one command and returns the exit code: 0 done, 1 refused or failed, 2 wrong usage. */
export async function runPodium(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const program = new Command('podium')
    .description(
      'Operates Podium: integrations, contracts, keys, links, segments, tasks, awards, refused events, dead letters',
    )
    .option('--url <address>', 'address of the gateway')
    .option('--token <token>', "an operator's token")
    .option('--json', 'print JSON for machines instead of a table')
    .addHelpText('after', example)
    .exitOverride()
    .configureOutput({ writeOut: surroundings.out, writeErr: surroundings.err });
  program.addCommand(statusCommand(surroundings));
  program.addCommand(partnersCommand(surroundings));
  program.addCommand(integrationCommands(surroundings));
  program.addCommand(contractCommands(surroundings));
  program.addCommand(keyCommands(surroundings));
  program.addCommand(vaultCommand(surroundings));
  program.addCommand(definitionCommands('segment', surroundings));
  program.addCommand(definitionCommands('task', surroundings));
  for (const command of listCommands(surroundings)) program.addCommand(command);
  program.addCommand(lagCommand(surroundings));
  program.addCommand(deadLetterCommands(surroundings));
  program.addCommand(batchCommands(surroundings));
  program.addCommand(replayCommands(surroundings));
  program.addCommand(verifyCommands(surroundings));
  program.addCommand(republishCommands(surroundings));
  program.addCommand(eraseCommands(surroundings));
  program.addCommand(restoreCommands(surroundings));
  program.addCommand(failoverCommands(surroundings));
  inheritSettings(program);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    return exitCodeOf(error, surroundings);
  }
}

/** Commands that were built on their own learn where to write and not to end the process. */
function inheritSettings(command: Command): void {
  for (const child of command.commands) {
    child.copyInheritedSettings(command).showHelpAfterError('(add --help for the options and an example)');
    inheritSettings(child);
  }
}

function exitCodeOf(error: unknown, { err }: Surroundings): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof UsageError) {
    err(`${error.message}\n`);
    return 2;
  }
  if (error instanceof ApiError) {
    err(`${error.code}: ${error.message}\nWhat to do: ${error.remedy}\n`);
    return 1;
  }
  err(`${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
}

/** Asks on a terminal; undefined where there is none. */
function askOnTerminal(): Surroundings['ask'] {
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

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** The command `npm run podium -- …`, with this process's environment and terminal. */
export async function podium(args: readonly string[]): Promise<void> {
  // Whoever reads the output may have enough of it, as head does.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    throw error;
  });
  process.exitCode = await runPodium(args, {
    env: process.env,
    readStdin,
    ask: askOnTerminal(),
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
  });
}

if (require.main === module) void podium(process.argv.slice(2));

import { errorMessage } from '@podium/runtime/errors';
import { Command, CommanderError } from 'commander';
import { ApiError } from './cli/admin-api';
import { batchCommands } from './batches/commands';
import { competitionCommands } from './competition/commands';
import { contractCommands } from './admin/contracts';
import { deadLetterCommands } from './dead-letters/commands';
import { definitionCommands } from './admin/definitions';
import { eraseCommands } from './erase/commands';
import { failoverCommands } from './failover/commands';
import { integrationCommands } from './admin/integrations';
import { keyCommands } from './admin/keys';
import { lagCommand } from './lag/commands';
import { listCommands } from './admin/list-commands';
import { rateCommands } from './admin/rates';
import { reconcileCommands } from './reconcile/commands';
import { replayCommands, verifyCommands } from './replay/commands';
import { republishCommands } from './republish/commands';
import { restoreCommands } from './restore/commands';
import { partnersCommand } from './admin/partners';
import { statusCommand } from './status/commands';
import { CliEnvironment } from './cli/cli-environment';
import { printable } from './cli/output';
import { ServerError, kafkaError } from './cli/server-errors';
import { UsageError } from './cli/usage-error';
import { userCommands } from './admin/users';
import { vaultCommand } from './admin/vault';

const example = `
Examples:
  $ npm run podium -- status
  $ npm run podium -- partners
  $ npm run podium -- partners init my-shop --url http://127.0.0.1:9000
  $ npm run podium -- integrations list
  $ npm run podium -- contracts publish acme-bets --file contract.json
  $ npm run podium -- keys create acme-bets
  $ npm run --silent podium -- tasks list --json
  $ npm run podium -- lag
  $ npm run podium -- dlq list

Schemas and topics of a release: npm run migrate, npm run topics.
Address and token: --url and --token, else PODIUM_URL and PODIUM_TOKEN, else the local stack's .stack/stack.json.
With --json, npm run --silent keeps npm's own lines out of the output.
Approvals: --approver-token, else PODIUM_APPROVER_TOKEN, else that token; the local stack has an approver of its own.
Commands on Kafka or Postgres explain in their --help how to reach them.`;

const helpHint = '(add --help for the options and an example)';

/** Runs one command and returns the exit code: 0 done, 1 refused or failed, 2 wrong usage. */
export async function runPodium(args: readonly string[], environment: CliEnvironment): Promise<number> {
  try {
    await podiumProgram(environment).parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    return exitCodeOf(error, environment);
  }
}

/** All commands with their help. */
export function podiumProgram(environment: CliEnvironment): Command {
  const program = new Command('podium')
    .description(
      'Operates Podium: integrations, contracts, keys, links, segments, tasks, awards, refused events, dead letters',
    )
    .option('--url <address>', 'address of the gateway')
    .option('--token <token>', "an operator's token; others on this machine can see it, unlike PODIUM_TOKEN")
    .option('--approver-token <token>', 'the token of the second operator, who publishes, pays and refuses')
    .option('--json', 'print JSON for machines instead of a table')
    .addHelpText('after', example)
    .showHelpAfterError(helpHint)
    .exitOverride()
    .configureOutput({ writeOut: environment.out, writeErr: environment.err });
  program.addCommand(statusCommand(environment));
  program.addCommand(partnersCommand(environment));
  program.addCommand(integrationCommands(environment));
  program.addCommand(contractCommands(environment));
  program.addCommand(keyCommands(environment));
  program.addCommand(vaultCommand(environment));
  program.addCommand(definitionCommands('segment', environment));
  program.addCommand(definitionCommands('task', environment));
  program.addCommand(rateCommands(environment));
  program.addCommand(userCommands(environment));
  for (const command of listCommands(environment)) program.addCommand(command);
  program.addCommand(lagCommand(environment));
  program.addCommand(deadLetterCommands(environment));
  program.addCommand(batchCommands(environment));
  program.addCommand(reconcileCommands(environment));
  program.addCommand(replayCommands(environment));
  program.addCommand(verifyCommands(environment));
  program.addCommand(republishCommands(environment));
  program.addCommand(eraseCommands(environment));
  program.addCommand(restoreCommands(environment));
  program.addCommand(failoverCommands(environment));
  program.addCommand(competitionCommands(environment));
  inheritSettings(program);
  return program;
}

/** Passes output and exit settings on to all subcommands. */
function inheritSettings(command: Command): void {
  for (const child of command.commands) {
    child.copyInheritedSettings(command).showHelpAfterError(helpHint);
    inheritSettings(child);
  }
}

function exitCodeOf(error: unknown, { err }: CliEnvironment): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof UsageError) {
    err(`${error.message}\n`);
    return 2;
  }
  if (error instanceof ApiError) {
    err(`${error.code}: ${printable(error.message)}\nWhat to do: ${error.remedy}\n`);
    return 1;
  }
  const known = kafkaError(error);
  err(`${errorMessage(known)}\n${known instanceof ServerError ? `What to do: ${known.remedy}\n` : ''}`);
  return 1;
}

import { Command, CommanderError } from 'commander';
import { sdkVersion } from '../client/version';
import { backfillCommand } from './backfill';
import { contractCommand } from './contract';
import { doctorCommand } from './doctor';
import { initCommand } from './init';
import { linkCheckCommand } from './link-check';
import { reconcileCommand } from './reconcile';
import { refusalsCommand } from './refusals';
import { sendCommand } from './send';
import { statusCommand } from './status';
import { Terminal, UsageError } from './terminal';
import { typesCommand } from './types';
import { validateCommand } from './validate';

export type { Terminal } from './terminal';

/** Runs one command of `podium-partner`; returns its exit code: 2 for wrong usage, 3 when it did not finish, others as the command's help says. */
export async function runPartnerProgram(args: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = 0;
  const program = new Command('podium-partner')
    .description('Tools for partners of Podium. link-check needs no account at Podium.')
    .version(sdkVersion)
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err });
  const end = (code: number): void => {
    exitCode = code;
  };
  const commands = [
    ...[initCommand, doctorCommand, sendCommand, validateCommand, backfillCommand],
    ...[statusCommand, reconcileCommand, refusalsCommand],
    ...[contractCommand, typesCommand, linkCheckCommand],
  ];
  for (const commandOf of commands)
    program.addCommand(
      commandOf(terminal, end)
        .copyInheritedSettings(program)
        .showHelpAfterError('(add --help for options and examples)'),
    );
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    terminal.err(`${error instanceof Error ? error.message : String(error)}\n`);
    // Of any other error nothing was found out: 1 would say that something is wrong with an event.
    return error instanceof UsageError ? 2 : 3;
  }
}

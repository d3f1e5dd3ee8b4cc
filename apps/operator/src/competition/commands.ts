import { Command } from 'commander';
import { CliEnvironment } from '../cli/cli-environment';
import { importCommand } from './import-command';
import { rebuildCommand } from './rebuild-command';

/** `competition …` */
export function competitionCommands(environment: CliEnvironment): Command {
  return new Command('competition')
    .description('competition data: publish a file of changes, rebuild the tables from the topic')
    .addCommand(importCommand(environment))
    .addCommand(rebuildCommand(environment));
}

import { Command } from 'commander';
import { contextOf } from '../cli/command-context';
import { CliEnvironment } from '../cli/cli-environment';

/** `vault` */
export function vaultCommand(environment: CliEnvironment): Command {
  return new Command('vault')
    .description("show which keys encrypt partners' tokens and client secrets, and the progress of a rotation")
    .addHelpText(
      'after',
      `
States: sealing (an instance encrypts with it), in_use (some secret is encrypted with it), unused (neither: a previous key may
leave VAULT_KEYS), missing (it is needed, but not every instance has it).

Example:
  $ npm run podium -- vault`,
    )
    .action(async (_options: object, command: Command) => {
      const context = contextOf(command, environment);
      const { keys, instances } = (await context.api.call('GET', '/vault')) as {
        keys: { key_id: string; state: string; sealed: number | null; instances: number }[];
        instances: unknown[];
      };
      context.showAll(keys, ['key_id', 'state', 'sealed', 'instances'], (key) => ({
        instances: `${String(key.instances)} of ${instances.length}`,
      }));
    });
}

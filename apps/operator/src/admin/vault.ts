import { Command } from 'commander';
import { contextOf } from '../cli/command-context';
import { CliEnvironment } from '../cli/cli-environment';

/** `vault` */
export function vaultCommand(environment: CliEnvironment): Command {
  return new Command('vault')
    .description("show under which keys partners' tokens and client secrets are kept: where a rotation stands")
    .addHelpText(
      'after',
      `
States: sealing (an instance seals under it), in_use (something is sealed under it), unused (neither: a former key may
leave VAULT_KEYS), missing (it is needed and not every instance has it).

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

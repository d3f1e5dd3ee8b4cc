import { Command } from 'commander';
import { CliEnvironment } from '../cli/cli-environment';
import { contextOf } from '../cli/command-context';

/** `users show` */
export function userCommands(environment: CliEnvironment): Command {
  const group = new Command('users').description('users of the service at a platform, as segments and tasks see them');
  group
    .command('show <platform> <user_id>')
    .description('show the link, the segments, the number of awards and the stored events of a user')
    .addHelpText('after', '\nExample:\n  $ npm run podium -- users show acme-bets user-17')
    .action(async (platform: string, userId: string, _options: object, command: Command) => {
      const context = contextOf(command, environment);
      const path = `/users/${encodeURIComponent(platform)}/${encodeURIComponent(userId)}`;
      context.show(await context.api.call('GET', path));
    });
  return group;
}

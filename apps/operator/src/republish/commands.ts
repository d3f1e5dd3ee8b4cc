import { Command } from 'commander';
import { republish } from '../../../linkage/src/operations/republish/republish';
import { outputOf } from '../cli/command-context';
import { withPostgres } from '../cli/server-connections';
import { CliEnvironment } from '../cli/cli-environment';

const kinds = [
  ['links', 'links: who is linked, one record for each partner account', 'linkage.links.v1'],
  ['integrations', 'integrations with their contracts', 'linkage.integrations.v1'],
  ['keys', 'hashes, scopes and rates of API keys', 'linkage.api-keys.v1'],
  ['erasures', 'users who were erased, by digest', 'linkage.erasures.v1'],
] as const;

/** `republish …` */
export function republishCommands(environment: CliEnvironment): Command {
  const group = new Command('republish').description(
    'republish the current states of linkage to its topics, for views that lost them; linkage must run',
  );
  for (const [what, description, topic] of kinds)
    group
      .command(what)
      .description(`republish ${description}`)
      .addHelpText(
        'after',
        `\nExample:\n  $ npm run podium -- republish ${what}\n` +
          "\nPostgres: DATABASE_URL, with linkage's role or the owner of the schemas. Default: the local stack.",
      )
      .action(async (_options: object, command: Command) => {
        const output = outputOf(command, environment);
        const records = await withPostgres(environment.env, (pool) =>
          republish(pool, what, { onPage: (soFar) => output.note(`${soFar} queued in the outbox`) }),
        );
        output.show({ topic, records });
      });
  return group;
}

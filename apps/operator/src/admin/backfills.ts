import { Command } from 'commander';
import { CliEnvironment } from '../cli/cli-environment';
import { contextOf } from '../cli/command-context';

const exampleId = '0190a6f0-0000-7000-8000-000000000001';

const verbs = [
  ['show', 'show for how many users it is evaluated, at which rate, and the time left', 'GET', ''],
  ['pause', 'evaluate it for no further users, except by events and due times', 'POST', '/pause'],
  ['resume', 'continue where it was paused', 'POST', '/resume'],
] as const;

/** `segments backfill …` and `tasks backfill …` */
export function addBackfillCommands(group: Command, kind: 'segment' | 'task', environment: CliEnvironment): void {
  const backfill = group
    .command('backfill')
    .description(`how the published version of a ${kind} is brought to users who were there before it`);
  for (const [verb, effect, method, action] of verbs)
    backfill
      .command(`${verb} <${kind}_id>`)
      .description(effect)
      .addHelpText('after', `\nExample:\n  $ npm run podium -- ${kind}s backfill ${verb} ${exampleId}`)
      .action(async (id: string, _options: object, command: Command) => {
        const context = contextOf(command, environment);
        context.show(await context.api.call(method, `/${kind}s/${encodeURIComponent(id)}/backfill${action}`));
      });
}

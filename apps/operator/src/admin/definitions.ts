import { Command } from 'commander';
import { addApprovalCommands } from './approvals';
import { CommandOutput, contextOf, listOfPlatform, parseMax, readObject } from '../cli/command-context';
import { CliEnvironment } from '../cli/cli-environment';
import { addBackfillCommands } from './backfills';
import { PublicationOptions, addFirstPublicationOptions, addPublicationOptions, publicationOf } from './publications';
import { addReportCommands } from './reports';
import { addTrialCommands } from './trials';
import { UsageError } from '../cli/usage-error';

const examples = {
  segment: `{"platform":"acme-bets","name":"Depositors","condition":{"count":{"event":"deposit"},"window":{"lifetime":true},"op":"gte","value":1}}`,
  task: `{"platform":"acme-bets","name":"Deposit bonus","goal":{"count":{"event":"deposit"},"window":{"lifetime":true},"op":"gte","value":1},
   "repeat":{"every":"1"},"max_per_user":1000,"reward":{"type":"bonus_money","amount":"5.00","currency":"EUR"}}`,
};

/** Where the forms of a definition are. */
const pages = 'docs/engine.md has examples of each form, docs/engine-conditions.md all fields.';

const actions = {
  segment: [
    ['publish', 'put a version into force, as another operator than the one who wrote it'],
    ['pause', 'change no memberships until it is resumed'],
    ['resume', 'continue, and process the events of the pause'],
    ['end', 'end it permanently, 10 to 20 minutes later'],
  ],
  task: [
    ['publish', 'put a version into force, as another operator than the one who wrote it'],
    [
      'pause',
      'award nothing until it is resumed, or nothing any more if it has ended; what it then holds is never paid',
    ],
    ['resume', 'continue, and process the events of the pause'],
    ['end', 'end it permanently, 10 to 20 minutes later; what its pause holds is then never paid'],
  ],
} as const;

/** `segments …` or `tasks …` */
export function definitionCommands(kind: 'segment' | 'task', environment: CliEnvironment): Command {
  const noun = `${kind}s`;
  const group = new Command(noun).description(
    kind === 'segment' ? 'sets of linked users that satisfy a condition' : 'bonus tasks that reward a goal',
  );
  const create = group
    .command('create')
    .description(`create a ${kind}, as a draft unless --publish is given`)
    .requiredOption('--file <json>', 'the definition, - for stdin')
    .option('--publish', 'publish it immediately, with the token of the second operator')
    .addHelpText(
      'after',
      `\nExample:\n  $ cat ${kind}.json\n  ${examples[kind]}\n  $ npm run podium -- ${noun} create --file ${kind}.json\n\n${pages}`,
    )
    .action(async (options: PublicationOptions & { file: string; publish?: true }, command: Command) => {
      const context = contextOf(command, environment);
      const publication = publicationOf(options);
      if (!options.publish && Object.values(publication).some((value) => value !== undefined))
        throw new UsageError('Options of a publication need --publish.');
      const draft = await context.api.call('POST', `/${noun}`, await readObject(options.file, environment));
      const id = encodeURIComponent(String(draft[`${kind}_id`]));
      if (!options.publish) return context.show(draft);
      try {
        // With its number: another operator may add a version meanwhile.
        const request = { ...publication, version: draft.version };
        showPublished(await context.approverApi.call('POST', `/${noun}/${id}/publish`, request), context);
      } catch (error) {
        // Without its id it would be created a second time.
        const publish = `npm run podium -- ${noun} publish ${id} --version ${String(draft.version)}`;
        environment.err(`The draft ${id} was created: ${publish} publishes it.\n`);
        throw error;
      }
    });
  addFirstPublicationOptions(create, kind);
  group
    .command('list')
    .description(`list ${noun}`)
    .option('--platform <name>', 'only this platform')
    .option('--max <count>', 'maximum number to show', parseMax, 100)
    .addHelpText('after', `\nExample:\n  $ npm run podium -- ${noun} list --platform acme-bets`)
    .action(async (options: { platform?: string; max: number }, command: Command) => {
      const context = contextOf(command, environment);
      const found = await listOfPlatform(context, `/${noun}`, { platform: options.platform }, options.max);
      context.showAll(found, [`${kind}_id`, 'platform', 'name', 'state', 'version', 'in_force_from']);
    });
  group
    .command(`show <${kind}_id>`)
    .description(`show a ${kind}`)
    .addHelpText('after', `\nExample:\n  $ npm run podium -- ${noun} show 0190a6f0-0000-7000-8000-000000000001`)
    .action(async (id: string, _options: object, command: Command) => {
      const context = contextOf(command, environment);
      context.show(await context.api.call('GET', `/${noun}/${encodeURIComponent(id)}`));
    });
  group
    .command(`revise <${kind}_id>`)
    .description('add a version as a draft; published versions never change')
    .requiredOption('--file <json>', 'the whole definition without its platform, - for stdin')
    .addHelpText(
      'after',
      `\nExample:\n  $ npm run podium -- ${noun} revise 0190a6f0-0000-7000-8000-000000000001 --file new.json\n\n${pages}`,
    )
    .action(async (id: string, options: { file: string }, command: Command) => {
      const context = contextOf(command, environment);
      const body = await readObject(options.file, environment);
      const revised = await context.api.call('POST', `/${noun}/${encodeURIComponent(id)}/versions`, body);
      context.show(revised);
      const added = (revised.versions as readonly { readonly version: number }[]).at(-1)?.version;
      context.note(`To publish it, as another operator: npm run podium -- ${noun} publish ${id} --version ${added}`);
    });
  for (const [verb, effect] of actions[kind]) {
    const action = group
      .command(`${verb} <${kind}_id>`)
      .description(effect)
      .addHelpText(
        'after',
        `\nExample:\n  $ npm run podium -- ${noun} ${verb} 0190a6f0-0000-7000-8000-000000000001${verb === 'publish' ? ' --version 2' : ''}`,
      );
    if (verb === 'publish') addPublicationOptions(action, kind);
    action.action(async (id: string, options: PublicationOptions, command: Command) => {
      const context = contextOf(command, environment);
      const api = verb === 'publish' ? context.approverApi : context.api;
      const changed = await api.call('POST', `/${noun}/${encodeURIComponent(id)}/${verb}`, publicationOf(options));
      if (verb === 'publish') showPublished(changed, context);
      else context.show(changed);
      if (verb === 'end') context.note(`It ends at ${String(changed.ended_at)}, and goes on as before until then.`);
    });
  }
  addReportCommands(group, kind, environment);
  addTrialCommands(group, kind, environment);
  addApprovalCommands(group, kind, environment);
  addBackfillCommands(group, kind, environment);
  return group;
}

/** A published definition; of a task without a rate, that the engine does not pause it. */
function showPublished(published: Record<string, unknown>, { show, note }: CommandOutput): void {
  show(published);
  if (published.pauses_above === null)
    note(
      'It has no number of awards a day above which the engine pauses it: state max_per_day, or let a dry run of a version finish before its publication.',
    );
}

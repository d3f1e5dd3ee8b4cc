import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { ApiError } from '../cli/admin-api';
import { CliEnvironment } from '../cli/cli-environment';
import { CommandContext, contextOf, parseMax, parseVersion } from '../cli/command-context';
import { progressBar } from '../cli/progress-bar';
import { ExportOptions, addExportOption, exportExamples, printExport } from './exports';
import { rewardText } from './list-commands';

const exampleId = '0190a6f0-0000-7000-8000-000000000001';
const trialId = '0190a6f0-0000-7000-8000-00000000000a';
const pollMs = 1_000;

type Item = Record<string, unknown>;

/** A preview or dry run, as far as both are alike. */
interface Trial extends Item {
  readonly state: string;
  readonly users_done: number;
  readonly users_total: number | null;
}

/** `segments preview …` or `tasks dry-run …` */
export function addTrialCommands(group: Command, kind: 'segment' | 'task', environment: CliEnvironment): void {
  if (kind === 'segment') addPreviewCommands(group, environment);
  else addDryRunCommands(group, environment);
}

function addPreviewCommands(group: Command, environment: CliEnvironment): void {
  group
    .command('preview <segment_id>')
    .description('count who would be a member now if a version were in force, with a sample and reasons')
    .option('--version <number>', 'version, drafts too; the newest when left out', parseVersion)
    .option('--no-wait', 'order it and do not wait for its end')
    .addHelpText('after', `\nExample:\n  $ npm run podium -- segments preview ${exampleId}`)
    .action(async (id: string, options: { version?: number; wait: boolean }, command: Command) => {
      const context = contextOf(command, environment);
      const path = `/segments/${encodeURIComponent(id)}/previews`;
      const ordered = await context.api.call('POST', path, { version: options.version });
      const found = options.wait
        ? await finished(context, `${path}/${String(ordered.preview_id)}`, ordered as Trial, () =>
            noteOngoing(environment, `segments preview-show ${id} ${String(ordered.preview_id)}`),
          )
        : ordered;
      showTrial(found, command, context, showPreview);
    });
  addCommonCommands(group, environment, {
    ...{ kind: 'segment', name: 'preview', path: 'previews', what: 'previews of a segment', showResult: showPreview },
    columns: ['preview_id', 'version', 'state', 'members', 'capped_users', 'users_done', 'users_total', 'ordered_at'],
  });
}

function addDryRunCommands(group: Command, environment: CliEnvironment): void {
  group
    .command('dry-run <task_id>')
    .description('show what a version would have awarded over dates of the past, and what it would have cost')
    .requiredOption('--from <time>', 'first instant, ISO 8601, as if it were starts_at')
    .requiredOption('--to <time>', 'first instant outside, ISO 8601, as if it were ends_at')
    .option('--version <number>', 'version, drafts too; the newest when left out', parseVersion)
    .option('--no-wait', 'order it and do not wait for its end')
    .addHelpText(
      'after',
      `\nExample:\n  $ npm run podium -- tasks dry-run ${exampleId} --from 2026-10-01T00:00:00Z --to 2026-11-01T00:00:00Z`,
    )
    .action(
      async (
        id: string,
        options: { from: string; to: string; version?: number; wait: boolean },
        command: Command,
      ): Promise<void> => {
        const context = contextOf(command, environment);
        const path = `/tasks/${encodeURIComponent(id)}/dry-runs`;
        const { from, to, version } = options;
        const ordered = await context.api.call('POST', path, { from, to, version });
        const found = options.wait
          ? await finished(context, `${path}/${String(ordered.dry_run_id)}`, ordered as Trial, () =>
              noteOngoing(environment, `tasks dry-run-show ${id} ${String(ordered.dry_run_id)}`),
            )
          : ordered;
        showTrial(found, command, context, showDryRun);
      },
    );
  group
    .command('dry-run-awards <task_id> <dry_run_id>')
    .description('list the awards that a dry run would issue, in the order in which they are reached')
    .option('--published', 'those of the published version, beside which the other one was tried')
    .option('--max <count>', 'maximum number to show', parseMax, 100)
    .addHelpText('after', `\nExample:\n  $ npm run podium -- tasks dry-run-awards ${exampleId} ${trialId} --max 20`)
    .action(
      async (
        id: string,
        dryRunId: string,
        options: { published?: true; max: number },
        command: Command,
      ): Promise<void> => {
        const context = contextOf(command, environment);
        const found = await context.list(awardsPath(id, dryRunId), { side: sideOf(options) }, options.max);
        const columns = ['reached_at', 'user_id', 'platform_user_id', 'occurrence', 'reward', 'withheld'];
        context.showAll(found, columns, ({ reward }) => ({ reward: rewardText(reward) }));
      },
    );
  addExportOption(group.command('dry-run-awards-export <task_id> <dry_run_id>'))
    .description('list all awards that a dry run would issue, one JSON object per line')
    .option('--published', 'those of the published version, beside which the other one was tried')
    .addHelpText('after', exportExamples(`tasks dry-run-awards-export ${exampleId} ${trialId}`))
    .action(
      async (
        id: string,
        dryRunId: string,
        options: ExportOptions & { published?: true },
        command: Command,
      ): Promise<void> => {
        const list = { path: `${awardsPath(id, dryRunId)}/export`, query: { side: sideOf(options) } };
        await printExport(command, environment, list, options);
      },
    );
  addCommonCommands(group, environment, {
    ...{ kind: 'task', name: 'dry-run', path: 'dry-runs', what: 'dry runs of a task', showResult: showDryRun },
    columns: ['dry_run_id', 'version', 'state', 'from', 'to', 'awards', 'cost', 'capped_users', 'ordered_at'],
  });
}

type ShowResult = (result: Item, context: CommandContext) => void;

interface TrialRow {
  readonly kind: string;
  readonly name: string;
  readonly path: string;
  readonly what: string;
  readonly columns: readonly string[];
  readonly showResult: ShowResult;
}

/** Lists the trials of a definition; shows one again, with the users whom it did not evaluate; cancels one. */
function addCommonCommands(group: Command, environment: CliEnvironment, row: TrialRow): void {
  const { kind, name, path, what, columns, showResult } = row;
  const ids = `<${kind}_id> <${name.replace('-', '_')}_id>`;
  const pathOf = (id: string): string => `/${kind}s/${encodeURIComponent(id)}/${path}`;
  group
    .command(`${path} <${kind}_id>`)
    .description(`list the newest ${what}`)
    .addHelpText('after', `\nExample:\n  $ npm run podium -- ${kind}s ${path} ${exampleId}`)
    .action(async (id: string, _options: object, command: Command) => {
      const context = contextOf(command, environment);
      context.showAll(await context.api.items(pathOf(id)), columns, ({ draft }) => (draft ?? {}) as Item);
    });
  group
    .command(`${name}-show ${ids}`)
    .description('show one that was ordered before: its progress, and its result once it has finished')
    .addHelpText('after', `\nExample:\n  $ npm run podium -- ${kind}s ${name}-show ${exampleId} ${trialId}`)
    .action(async (id: string, trial: string, _options: object, command: Command) => {
      const context = contextOf(command, environment);
      const found = await context.api.call('GET', `${pathOf(id)}/${encodeURIComponent(trial)}`);
      showTrial(found, command, context, showResult);
    });
  group
    .command(`${name}-capped ${ids}`)
    .description('list the users whom it did not evaluate, because the store may lack events of theirs')
    .option('--max <count>', 'maximum number to show', parseMax, 100)
    .addHelpText('after', `\nExample:\n  $ npm run podium -- ${kind}s ${name}-capped ${exampleId} ${trialId}`)
    .action(async (id: string, trial: string, options: { max: number }, command: Command) => {
      const context = contextOf(command, environment);
      const found = await context.list(`${pathOf(id)}/${encodeURIComponent(trial)}/capped`, {}, options.max);
      context.showAll(found, ['user_id', 'name', 'month']);
    });
  group
    .command(`${name}-cancel ${ids}`)
    .description('cancel one that has not finished')
    .addHelpText('after', `\nExample:\n  $ npm run podium -- ${kind}s ${name}-cancel ${exampleId} ${trialId}`)
    .action(async (id: string, trial: string, _options: object, command: Command) => {
      const context = contextOf(command, environment);
      context.show(await context.api.call('POST', `${pathOf(id)}/${encodeURIComponent(trial)}/cancel`, {}));
    });
}

/** What to do about a trial that has ended without a result, by its state. */
const withoutResult: Readonly<Record<string, readonly [message: string, remedy: string]>> = {
  cancelled: ['It was cancelled by an operator.', 'order it again if you need its result.'],
  failed: [
    'It was given up.',
    'read the log of engagement, which names the cause; order a dry run with later dates if events of its first days have expired.',
  ],
};

/**
 * Waits for the end of a trial and shows its progress. Throws `ApiError` for one that ends without a result, and when the API
 * refuses or does not answer any more; then `onLost` says how to find the trial, which goes on.
 */
async function finished({ api }: CommandContext, path: string, ordered: Trial, onLost: () => void): Promise<Item> {
  const bar = progressBar('{bar} {percentage} % | {value} of {total} users | {eta_formatted} left');
  let trial = ordered;
  try {
    for (let isShown = false; trial.finished_at === null; trial = (await api.poll(path)) as Trial) {
      if (!isShown && trial.users_total !== null) {
        bar.start(trial.users_total, 0);
        isShown = true;
      }
      if (isShown) bar.update(trial.users_done);
      await sleep(pollMs);
    }
    if (trial.users_total !== null) bar.update(trial.users_done);
  } catch (error) {
    bar.stop();
    if (!(error instanceof ApiError && error.code === 'not_found')) onLost();
    throw error;
  }
  bar.stop();
  if (Object.hasOwn(withoutResult, trial.state)) throw new ApiError(trial.state, ...withoutResult[trial.state]);
  return trial;
}

/** Says with which command a trial is shown that nobody waits for any more. */
function noteOngoing(environment: CliEnvironment, show: string): void {
  environment.err(`It goes on: npm run podium -- ${show} shows it.\n`);
}

function showTrial(found: Item, command: Command, context: CommandContext, showResult: ShowResult): void {
  if (command.optsWithGlobals<{ json?: boolean }>().json) return context.show(found);
  showResult(found, context);
}

function showPreview({ sample, ...rest }: Item, { show, showAll, note }: CommandContext): void {
  show(rest);
  note('\nSample');
  const members = (sample ?? []) as readonly Item[];
  showAll(members, ['user_id', 'reasons'], ({ comparisons }) => ({ reasons: reasonsOf(comparisons) }));
}

function showDryRun({ draft, published, ...rest }: Item, { show, showAll, note }: CommandContext): void {
  show(rest);
  const sides = [
    ['Draft', draft],
    ['Published version', published],
  ] as const;
  for (const [title, side] of sides) {
    if (side === null || side === undefined) continue;
    const { days, ...sums } = side as { days: readonly Item[] } & Item;
    note(`\n${title}`);
    show(sums);
    note('');
    showAll(days, ['day', 'awards', 'cost', 'paid', 'withheld']);
  }
}

function awardsPath(taskId: string, dryRunId: string): string {
  return `/tasks/${encodeURIComponent(taskId)}/dry-runs/${encodeURIComponent(dryRunId)}/awards`;
}

function sideOf({ published }: { readonly published?: true }): string {
  return published ? 'published' : 'draft';
}

function reasonsOf(comparisons: unknown): string {
  return (comparisons as readonly Item[])
    .map(({ path, value, target, holds }) => `${String(path)} ${String(value)}/${String(target)} ${String(holds)}`)
    .join('; ');
}

import { userInfo } from 'node:os';
import { Command } from 'commander';
import { outputOf } from '../cli/command-context';
import { details } from '../cli/output';
import { connectKafka, withBrokers, withPostgres } from '../cli/server-connections';
import { CliEnvironment } from '../cli/cli-environment';
import { parseFromTime } from '../cli/time-options';
import { whileStopped } from './require-stopped';
import { restoreEngagement } from './restore-engagement';
import { restoreErasures } from './restore-erasures';
import { restoreLedger } from './restore-ledger';
import { restoreLinkage } from './restore-linkage';
import { RestoreParts } from './restore-parts';
import { restoreRevisions } from './restore-revisions';

const reach = `
Only while linkage, ingestion and engagement are stopped. Repeating it only adds what is missing. Kafka: --brokers or
KAFKA_BROKERS; Postgres: DATABASE_URL, with the role that owns the schemas. Default: the local stack.`;

interface RestoreOptions {
  brokers?: string;
  fromTime?: number;
  pauseDefinitions?: boolean;
  by?: string;
}

/** The findings of a step, notes for operators, and why the restore must stop. */
interface StepResult {
  readonly found: object;
  readonly notes?: readonly (string | false)[];
  readonly failure?: string | false;
}

/** A step of the restore. */
interface Step {
  readonly name: string;
  readonly description: string;
  run(parts: RestoreParts): Promise<StepResult>;
}

/** A step found a problem that it cannot repair. */
class RestoreFailedError extends Error {}

const steps: readonly Step[] = [
  {
    name: 'ledger',
    description: 'read the topics of awards and results into the ledger, so that nothing is issued twice',
    run: async (parts) => {
      const found = await restoreLedger(parts);
      return {
        found,
        notes: [
          found.missing_tasks.length > 0 &&
            'missing_tasks have awards and are not in the database: define them again, or leave them ended.',
        ],
        failure:
          found.contradictions.length > 0 &&
          `${found.contradictions.length} published entries differ from the ledger: services have run on this database before the restore was complete. Restore the backup again, and start with restore run.`,
      };
    },
  },
  {
    name: 'revisions',
    description: 'continue the outboxes above all published revisions, without rows that were already published',
    run: async (parts) => ({ found: await restoreRevisions(parts) }),
  },
  {
    name: 'linkage',
    description: 'restore integrations, contracts, keys and links from their topics',
    run: async (parts) => {
      const found = await restoreLinkage(parts);
      return {
        found,
        notes: [
          found.incomplete_integrations.length > 0 &&
            'incomplete_integrations are paused: enter addresses, client id and secret of each again, then resume it.',
          found.links_refused.length > 0 &&
            'links_refused have no integration, or their user has another link: these users must link again.',
        ],
      };
    },
  },
  {
    name: 'erasures',
    description: 'erase users again who were erased after the restored moment',
    run: async (parts) => ({ found: await restoreErasures(parts) }),
  },
  {
    name: 'engagement',
    description: 'restore views and memberships from their topics, and re-read events from the restored positions',
    run: async (parts) => {
      const found = await restoreEngagement(parts);
      return {
        found,
        notes: [
          found.events_gone > 0 &&
            'events_gone were accepted, but the topic no longer has them: they cannot be restored.',
        ],
      };
    },
  },
];

/** `restore …` */
export function restoreCommands(environment: CliEnvironment): Command {
  const group = new Command('restore').description(
    'bring a restored Postgres up to date with the topics, before the services start',
  );
  group.addCommand(
    command(
      environment,
      { name: 'run', description: `run all steps in order: ${steps.map(({ name }) => name).join(', ')}` },
      steps,
    ),
  );
  for (const step of steps)
    group.addCommand(
      command(environment, { ...step, description: `one step of restore run: ${step.description}` }, [step]),
    );
  return group;
}

function command(
  environment: CliEnvironment,
  { name, description }: Pick<Step, 'name' | 'description'>,
  parts: readonly Step[],
): Command {
  return withBrokers(new Command(name).description(description))
    .option(
      '--from-time <time>',
      'skip records older than this, which the database certainly has: an hour before the restored moment, such as 2030-01-31T12:00:00Z; default: read whole topics',
      parseFromTime,
    )
    .option(
      '--pause-definitions',
      'segments and tasks only collect state until an operator has reviewed and resumed each',
    )
    .option('--by <name>', 'your name for the record; default: your user name')
    .addHelpText(
      'after',
      `\nExamples:\n  $ npm run podium -- restore ${name}` +
        `\n  $ npm run podium -- restore ${name} --from-time 2030-01-31T12:00:00Z\n` +
        reach,
    )
    .action(async (options: RestoreOptions, called: Command) => {
      const output = outputOf(called, environment);
      const kafka = connectKafka(options, environment.env);
      const { fromTime: fromTimeMs, pauseDefinitions, by = userInfo().username } = options;
      const found: Record<string, unknown> = {};
      const failure = await withPostgres(environment.env, (pool) =>
        whileStopped(pool, kafka, () =>
          runSteps(parts, { pool, kafka, fromTimeMs, pauseDefinitions, by, note: output.note }, (step, result) => {
            found[step] = result.found;
            output.note(`${step}\n${details({ ...result.found }, '  ')}`.trimEnd());
            for (const line of result.notes ?? []) if (line) output.note(line);
          }),
        ),
      );
      if (called.optsWithGlobals<{ json?: boolean }>().json) output.show(found);
      if (failure) throw new RestoreFailedError(failure);
    });
}

/** Runs steps in order until one fails; returns its failure. */
async function runSteps(
  run: readonly Step[],
  parts: RestoreParts,
  onResult: (step: string, result: StepResult) => void,
): Promise<string | null> {
  for (const step of run) {
    const result = await step.run(parts);
    onResult(step.name, result);
    if (result.failure) return result.failure;
  }
  return null;
}

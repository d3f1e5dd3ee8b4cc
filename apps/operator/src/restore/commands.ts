import { userInfo } from 'node:os';
import { Command } from 'commander';
import { outputOf } from '../cli/command-context';
import { details } from '../cli/output';
import { connectKafka, withBrokers, withPostgres } from '../cli/servers';
import { CliEnvironment } from '../cli/cli-environment';
import { UsageError } from '../cli/usage-error';
import { whileStopped } from './require-stopped';
import { restoreEngagement } from './restore-engagement';
import { restoreErasures } from './restore-erasures';
import { restoreLedger } from './restore-ledger';
import { restoreLinkage } from './restore-linkage';
import { RestoreParts } from './restore-parts';
import { restoreRevisions } from './restore-revisions';

const reach = `
Only while linkage, ingestion and engagement are stopped; repeated, it adds what is missing and nothing else. Kafka by
--brokers or KAFKA_BROKERS, Postgres by DATABASE_URL as the role that owns the schemas; else the local stack's.`;

interface RestoreOptions {
  brokers?: string;
  fromTime?: number;
  pauseDefinitions?: boolean;
  by?: string;
}

/** What a step found, what people should know of it, and why the restore must not go on. */
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

/** A step found what it cannot mend. */
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
            'missing_tasks have awarded and are not in the database: define them anew, or leave them ended.',
        ],
        failure:
          found.contradictions.length > 0 &&
          `${found.contradictions.length} published entries are otherwise in the ledger: services have run on this database before the restore was ended. Restore the backup once more, and begin with restore run.`,
      };
    },
  },
  {
    name: 'revisions',
    description: 'have the outboxes go on above all that was published, without what was published already',
    run: async (parts) => ({ found: await restoreRevisions(parts) }),
  },
  {
    name: 'linkage',
    description: 'bring integrations, contracts, keys and links to what their topics say',
    run: async (parts) => {
      const found = await restoreLinkage(parts);
      return {
        found,
        notes: [
          found.incomplete_integrations.length > 0 &&
            'incomplete_integrations are paused: enter addresses, client id and secret of each again, then resume it.',
          found.links_refused.length > 0 &&
            'links_refused have no integration, or their user is linked otherwise: these users link again.',
        ],
      };
    },
  },
  {
    name: 'erasures',
    description: 'erase users again who were erased since',
    run: async (parts) => ({ found: await restoreErasures(parts) }),
  },
  {
    name: 'engagement',
    description: 'bring views and memberships to their topics, and have the events read from the restored positions on',
    run: async (parts) => {
      const found = await restoreEngagement(parts);
      return {
        found,
        notes: [
          found.events_gone > 0 &&
            'events_gone were accepted, and the topic does not have them any more: nothing brings them back.',
        ],
      };
    },
  },
];

/** `restore …` */
export function restoreCommands(environment: CliEnvironment): Command {
  const group = new Command('restore').description(
    'bring a restored Postgres to what the topics know, before the services start',
  );
  group.addCommand(
    command(
      environment,
      { name: 'run', description: `all parts in their order: ${steps.map(({ name }) => name).join(', ')}` },
      steps,
    ),
  );
  for (const step of steps)
    group.addCommand(
      command(environment, { ...step, description: `a part of restore run: ${step.description}` }, [step]),
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
      'what Kafka got before, as 2030-01-31T12:00:00Z, is in the database for certain: an hour before the restored moment; topics are read whole when left out',
      parseTime,
    )
    .option(
      '--pause-definitions',
      'segments and tasks only gather state until an operator has looked at each and resumed it',
    )
    .option('--by <name>', 'who restores, for the record; your user name when left out')
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

/** Runs steps one after the other until one must not be followed; returns why. */
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

function parseTime(text: string): number {
  const timeMs = /^\d{4}-\d{2}-\d{2}T/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(timeMs)) throw new UsageError(`--from-time ${text}: must be a time as 2030-01-31T12:00:00Z.`);
  return timeMs;
}

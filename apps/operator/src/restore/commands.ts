import { Command } from 'commander';
import { ownName } from '../cli/own-name';
import { outputOf } from '../cli/command-context';
import { details } from '../cli/output';
import { connectKafka, withBrokers, withPostgres } from '../cli/server-connections';
import { CliEnvironment } from '../cli/cli-environment';
import { parseFromTime, timeExample } from '../cli/time-options';
import { RestoreParts } from './read-records';
import { whileStopped } from './require-stopped';
import { Step, StepResult, restoreSteps } from './restore-steps';

const reach = `
Only while linkage, ingestion and engagement are stopped. Repeating it only adds what is missing. Kafka: --brokers or
KAFKA_BROKERS; Postgres: DATABASE_URL, with the role that owns the schemas. Default: the local stack.`;

/** One holds the relays' locks, one a step's transaction, and one reads the restored positions meanwhile. */
const connections = { size: 3, statementTimeoutMs: 3_600_000 };

interface RestoreOptions {
  brokers?: string;
  fromTime?: number;
  pauseDefinitions?: boolean;
  eventsTopicIsNew?: boolean;
  by?: string;
}

/** A step found a problem that it cannot repair. */
class RestoreFailedError extends Error {}

/** `restore …` */
export function restoreCommands(environment: CliEnvironment): Command {
  const group = new Command('restore').description(
    'bring a restored Postgres up to date with the topics, before the services start',
  );
  group.addCommand(
    command(
      environment,
      { name: 'run', description: `run all steps in order: ${restoreSteps.map(({ name }) => name).join(', ')}` },
      restoreSteps,
    ),
  );
  for (const step of restoreSteps)
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
      `skip records older than this that the database has: an hour before the restored moment, such as ${timeExample}; default: read whole topics`,
      parseFromTime,
    )
    .option(
      '--pause-definitions',
      'segments and tasks only collect state until an operator has reviewed and resumed each',
    )
    .option(
      '--events-topic-is-new',
      'read the topic of events from its beginning: it was created again since the restored moment',
    )
    .option('--by <name>', 'your name for the record; default: your user name')
    .addHelpText(
      'after',
      `\nExamples:\n  $ npm run podium -- restore ${name}` +
        `\n  $ npm run podium -- restore ${name} --from-time ${timeExample}\n` +
        reach,
    )
    .action(async (options: RestoreOptions, called: Command) => {
      const output = outputOf(called, environment);
      const kafka = connectKafka(options, environment.env);
      const { fromTime: fromTimeMs, pauseDefinitions, eventsTopicIsNew } = options;
      const by = ownName(options);
      const given = { fromTimeMs, pauseDefinitions, eventsTopicIsNew, by };
      const found: Record<string, unknown> = {};
      const failure = await withPostgres(
        environment.env,
        (pool) =>
          whileStopped(pool, kafka, () =>
            runSteps(parts, { ...given, pool, kafka, note: output.note }, (step, result) => {
              found[step] = result.found;
              output.note(`${step}\n${details({ ...result.found }, '  ')}`.trimEnd());
              for (const line of result.notes ?? []) if (line) output.note(line);
            }),
          ),
        connections,
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

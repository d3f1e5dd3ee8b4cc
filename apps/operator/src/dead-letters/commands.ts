import { isNestedDeeperThan } from '@podium/messages';
import { Command } from 'commander';
import { AttentionError } from '../cli/attention-error';
import { atMost, outputOf, parseMax } from '../cli/command-context';
import { ageText } from '../cli/output';
import { connectKafka, withBrokers } from '../cli/server-connections';
import { CliEnvironment, topicRowsOf } from '../cli/cli-environment';
import { UsageError } from '../cli/usage-error';
import { countLetters } from './count-letters';
import { Letter, LetterChoice, LetterPlace, letterTopics, parseLetterPlace, readLetters } from './letter-topics';
import { Redriven, redrive } from './redrive';

interface ChoiceOptions {
  brokers?: string;
  topic?: string;
  offset?: LetterPlace;
  from?: LetterPlace;
  to?: LetterPlace;
  reason?: string;
}

/** `dlq …` */
export function deadLetterCommands(environment: CliEnvironment): Command {
  const group = new Command('dlq').description(
    'dead letters: records that a consumer group could not process, retained for 14 days; list, show and redrive them',
  );
  group.addCommand(listCommand(environment));
  group.addCommand(showCommand(environment));
  group.addCommand(redriveCommand(environment));
  return group;
}

function listCommand(environment: CliEnvironment): Command {
  return withBrokers(new Command('list').description('count dead letters by group, topic and reason, the oldest first'))
    .option('--group <group>', 'only this consumer group')
    .addHelpText('after', '\nExample:\n  $ npm run podium -- dlq list')
    .action(async (options: { brokers?: string; group?: string }, command: Command) => {
      const output = outputOf(command, environment);
      const kafka = connectKafka(options, environment.env);
      const counts = await countLetters(kafka, letterTopics(topicRowsOf(environment), options.group));
      const nowMs = Date.now();
      output.showAll(
        counts.map(({ oldestOpenAtMs, ...count }) => ({
          ...count,
          oldest_open_seconds:
            oldestOpenAtMs === null ? null : Math.max(0, Math.round((nowMs - oldestOpenAtMs) / 1000)),
        })),
        ['group', 'topic', 'open', 'redriven', 'oldest_open', 'reason'],
        ({ oldest_open_seconds: age }) => ({ oldest_open: typeof age === 'number' ? ageText(age) : null }),
      );
    });
}

function showCommand(environment: CliEnvironment): Command {
  return withChoice(
    new Command('show')
      .argument('<group>', 'consumer group')
      .description('show dead letters, the oldest of each partition first'),
  )
    .option('--open', 'only those that were not redriven')
    .option('--value', 'print the value of each record, which may contain personal data')
    .option('--max <count>', 'maximum number to show', parseMax, 20)
    .addHelpText(
      'after',
      '\nExamples:' +
        '\n  $ npm run podium -- dlq show engagement.user-events --open' +
        '\n  $ npm run podium -- dlq show engagement.user-events --offset 3:17 --value --json',
    )
    .action(
      async (
        group: string,
        options: ChoiceOptions & { open?: boolean; value?: boolean; max: number },
        command: Command,
      ) => {
        const output = outputOf(command, environment);
        const kafka = connectKafka(options, environment.env);
        const found: Record<string, unknown>[] = [];
        for (const topic of letterTopics(topicRowsOf(environment), group, options.topic))
          await readLetters(kafka, topic, choiceOf(options), (letters) => {
            const meant = options.open ? letters.filter(({ redriven }) => !redriven) : letters;
            for (const letter of meant.slice(0, options.max + 1 - found.length))
              found.push(fieldsOf(topic.row.name, letter, options.value === true));
            return found.length <= options.max;
          });
        const shown = atMost(found, options.max, environment);
        if (options.offset && shown.length === 1) return output.show(shown[0]);
        const columns = ['letter', 'topic', 'source', 'key', 'attempts', 'failed_at', 'redriven', 'redrives', 'reason'];
        output.showAll(shown, options.value ? [...columns, 'value'] : columns);
      },
    );
}

function redriveCommand(environment: CliEnvironment): Command {
  return withChoice(
    new Command('redrive')
      .argument('<group>', 'consumer group')
      .description(
        'redrive dead letters to this group only; letters that were redriven before are skipped; exit code 1 when a chosen one could not be redriven',
      ),
  )
    .option('--all', 'all of them')
    .option('--again', 'also those that were redriven before; each still has its effect only once')
    .option('--dry-run', 'print what would be redriven, and change nothing')
    .addHelpText(
      'after',
      '\nExamples:' +
        '\n  $ npm run podium -- dlq redrive engagement.user-events --all --dry-run' +
        '\n  $ npm run podium -- dlq redrive engagement.user-events --from 3:17 --to 3:40' +
        '\n  $ npm run podium -- dlq redrive engagement.user-events --reason "value out of range"',
    )
    .action(
      async (
        group: string,
        options: ChoiceOptions & { all?: boolean; again?: boolean; dryRun?: boolean },
        command: Command,
      ) => {
        const choice = choiceOf(options);
        const isChosen = choice.range !== undefined || choice.reason !== undefined;
        if (!options.all && !isChosen)
          throw new UsageError('Choose the dead letters: --all, --offset, --from with --to, or --reason.');
        if (options.all && isChosen)
          throw new UsageError('Use either --all, or --offset, --from with --to, and --reason.');
        const meant = letterTopics(topicRowsOf(environment), group, options.topic);
        if (choice.range && meant.length > 1) throw new UsageError('An offset belongs to one topic: give --topic.');
        const output = outputOf(command, environment);
        const kafka = connectKafka(options, environment.env);
        const results: Redriven[] = [];
        for (const topic of meant)
          results.push(
            await redrive(kafka, topic, { ...choice, again: options.again === true, dryRun: options.dryRun === true }),
          );
        output.showAll(
          results.map((result) => ({ ...result })),
          [
            'group',
            'topic',
            'handed_over',
            'redriven_before',
            'tombstones',
            'superseded',
            'gone',
            'undecodable',
            'too_large',
          ],
        );
        output.note(
          options.dryRun
            ? 'Dry run: nothing was redriven.'
            : `lag --group ${group} shows when they are read, dlq list whether they failed again.`,
        );
        requireWhole(results, choice);
      },
    );
}

/** What a letter can count as besides having been redriven, now or before. */
const remains = ['gone', 'undecodable', 'too_large'] as const;

function requireWhole(results: readonly Redriven[], { range }: LetterChoice): void {
  const counts = remains.map((name) => ({ name, count: results.reduce((sum, result) => sum + result[name], 0) }));
  const left = counts.filter(({ count }) => count > 0).map(({ name, count }) => `${name}: ${count}`);
  if (left.length > 0)
    throw new AttentionError(
      `Not all was redriven (${left.join(', ')}): docs/operations/dead-letters.md says what to do with each.`,
    );
  const met = results.flatMap(({ group: _group, topic: _topic, ...each }) => Object.values(each));
  if (range && met.every((count) => count === 0))
    throw new AttentionError('No dead letter is there: dlq show lists those that exist.');
}

function withChoice(command: Command): Command {
  return withBrokers(command)
    .option('--topic <topic>', 'only of this source topic')
    .option('--offset <position>', 'only this one: <partition>:<offset> in the dead-letter topic', parseLetterPlace)
    .option('--from <position>', 'the first of a range, with --to', parseLetterPlace)
    .option('--to <position>', 'the last of the range, in the same partition', parseLetterPlace)
    .option('--reason <text>', 'only those whose reason has this text', parseReason);
}

/** Every reason has the empty text, of a variable that is not set: it would choose all letters. */
function parseReason(text: string): string {
  if (text.trim() === '') throw new UsageError('--reason must have a text.');
  return text;
}

function choiceOf({ offset, from, to, reason }: ChoiceOptions): LetterChoice {
  if (offset && (from || to)) throw new UsageError('Use either --offset, or --from with --to.');
  if (!from !== !to) throw new UsageError('--from and --to must be given together.');
  if (from && to && (from.partition !== to.partition || from.offset > to.offset))
    throw new UsageError('--from and --to must be in one partition, --from not after --to.');
  if (offset) return { range: { from: offset, to: offset }, reason };
  return from && to ? { range: { from, to }, reason } : { reason };
}

function fieldsOf(topic: string, letter: Letter, withValue: boolean): Record<string, unknown> {
  const { record, reference, source, reason, attempts, failedAtMs, redrives, redriven } = letter;
  return {
    letter: `${record.partition}:${record.offset}`,
    topic,
    source: `${source.partition}:${source.offset}`,
    key: record.key?.toString() ?? null,
    reason,
    attempts,
    failed_at: new Date(failedAtMs).toISOString(),
    redriven,
    redrives,
    refers_to: reference && {
      ...reference,
      firstOffset: Number(reference.firstOffset),
      lastOffset: Number(reference.lastOffset),
    },
    value_bytes: record.value?.length ?? null,
    headers: record.headers,
    ...(withValue && { value: valueOf(record.value) }),
  };
}

/** Deeper than any record; printing recurses once per level, and indents each. */
const maxShownDepth = 64;

/** The value as JSON, else as bytes. */
function valueOf(value: Buffer | null): unknown {
  if (value === null) return null;
  try {
    const json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(value)) as unknown;
    if (!isNestedDeeperThan(json, maxShownDepth)) return json;
  } catch {
    // It is shown as bytes.
  }
  return { base64: value.toString('base64') };
}

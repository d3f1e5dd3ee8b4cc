import { Command } from 'commander';
import { outputOf } from '../cli/command-context';
import { LetterPlace, parsePlace } from '../dead-letters/letter-topics';
import { connectKafka, withBrokers } from '../cli/server-connections';
import { CliEnvironment, topicRowsOf } from '../cli/cli-environment';
import { UsageError } from '../cli/usage-error';
import { findStoppedGroups, inspectBatch } from './find-undecodable';
import { arePassed, passBatch, rowOf } from './pass-batch';

/** `batches …` */
export function batchCommands(environment: CliEnvironment): Command {
  const group = new Command('batches').description(
    'batches of records that cannot be decoded and pause their partition: list, inspect and pass them',
  );
  group.addCommand(listCommand(environment));
  group.addCommand(showCommand(environment));
  group.addCommand(passCommand(environment));
  return group;
}

function listCommand(environment: CliEnvironment): Command {
  return withBrokers(
    new Command('list').description(
      'list the groups that are paused at a batch that cannot be decoded, from Kafka alone',
    ),
  )
    .addHelpText('after', '\nExample:\n  $ npm run podium -- batches list')
    .action(async (options: { brokers?: string }, command: Command) => {
      const output = outputOf(command, environment);
      const kafka = connectKafka(options, environment.env);
      const stopped = await findStoppedGroups(kafka, topicRowsOf(environment));
      const passed = await arePassed(
        kafka,
        stopped.map(({ place: { topic, partition }, batch }) => ({ topic, partition, batch })),
      );
      output.showAll(
        stopped.map(({ place: { group, topic, partition, members }, batch }, index) => ({
          group,
          topic,
          batch: `${partition}:${batch.firstOffset}`,
          last_offset: Number(batch.lastOffset),
          reason: batch.reason,
          digest: batch.digest,
          members,
          may_pass: passed[index],
        })),
        ['group', 'topic', 'batch', 'last_offset', 'reason', 'members', 'may_pass', 'short_digest'],
        ({ digest }) => ({ short_digest: String(digest).slice(0, 12) }),
      );
    });
}

function showCommand(environment: CliEnvironment): Command {
  return withBrokers(
    new Command('show')
      .argument('<topic>')
      .argument('<position>', '<partition>:<offset>, any offset of the batch', parseBatchPlace)
      .description('show why the batch at an offset cannot be decoded, from its header and bytes; shows no content'),
  )
    .addHelpText('after', '\nExample:\n  $ npm run podium -- batches show bonus.award-results.v1 3:17')
    .action(async (topic: string, place: LetterPlace, options: { brokers?: string }, command: Command) => {
      const output = outputOf(command, environment);
      rowOf(topicRowsOf(environment), topic);
      const kafka = connectKafka(options, environment.env);
      const batch = await inspectBatch(kafka, { topic, ...place });
      if (!batch) {
        output.show({ topic, partition: place.partition, offset: Number(place.offset), can_be_decoded: true });
        return;
      }
      const { partition } = place;
      const [mayPass] = await arePassed(kafka, [{ topic, partition, batch }]);
      const { firstOffset, lastOffset, reason, detail, codec, sizeBytes, digest } = batch;
      output.show({
        topic,
        partition,
        can_be_decoded: false,
        first_offset: Number(firstOffset),
        last_offset: Number(lastOffset),
        reason,
        detail,
        codec,
        bytes: sizeBytes,
        digest,
        may_pass: mayPass,
      });
      output.note(
        `To pass it: npm run podium -- batches pass ${topic} ${partition}:${firstOffset} --digest ${digest.slice(0, 12)}`,
      );
    });
}

interface PassOptions {
  brokers?: string;
  digest: string;
  to?: bigint;
  publishedAgain?: boolean;
}

function passCommand(environment: CliEnvironment): Command {
  return withBrokers(
    new Command('pass')
      .argument('<topic>')
      .argument('<position>', '<partition>:<first offset of the batch>, as printed by batches show', parseBatchPlace)
      .description(
        'let all consumers skip a batch that they cannot decode; each group writes a dead letter that refers to it',
      ),
  )
    .requiredOption(
      '--digest <hex>',
      'digest of the batch, at least the first 12 digits: only exactly this batch is passed',
      parseDigest,
    )
    .option(
      '--published-again',
      'confirms that its states were published again after it; required for compacted topics',
    )
    .option('--to <offset>', 'the last offset to pass, when the broker cannot return the batch', parseOffset)
    .addHelpText(
      'after',
      '\nExample:\n  $ npm run podium -- batches pass bonus.award-results.v1 3:17 --digest 0c1f88a2b7e4',
    )
    .action(async (topic: string, place: LetterPlace, options: PassOptions, command: Command) => {
      const output = outputOf(command, environment);
      const kafka = connectKafka(options, environment.env);
      const passed = await passBatch(kafka, topicRowsOf(environment), {
        topic,
        partition: place.partition,
        firstOffset: place.offset,
        digest: options.digest,
        lastOffset: options.to,
        publishedAgain: options.publishedAgain === true,
      });
      output.show({ ...passed });
      output.note(
        'Paused groups continue within seconds: batches list shows those still paused, dlq list their dead letters.',
      );
    });
}

function parseBatchPlace(text: string): LetterPlace {
  return parsePlace(text, 'as batches list prints it');
}

function parseDigest(text: string): string {
  if (!/^[0-9a-f]{12,64}$/.test(text))
    throw new UsageError(`--digest ${text}: must be 12 to 64 digits, as printed by batches show.`);
  return text;
}

function parseOffset(text: string): bigint {
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`--to ${text}: must be an offset.`);
  return BigInt(text);
}

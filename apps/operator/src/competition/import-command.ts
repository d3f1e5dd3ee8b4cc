import { Command } from 'commander';
import { ChangePublisher } from '../../../competition-read/src/operations/change-publisher';
import { CliEnvironment } from '../cli/cli-environment';
import { connectKafka, quietLogger, withBrokers } from '../cli/server-connections';
import { importLines } from './import-lines';
import { progressBar } from '../cli/progress-bar';
import { openSource } from './source-lines';

const shownRefusals = 20;

const notes = `
Each line is one change, as JSON: {"kind":"player","id":"…","document":{…},"beside":{…}}, or
{"kind":"player","id":"…","deleted":true}, or a whole record as
"npm run competition:generate" writes it. A line may name its "revision". It is applied where the
tables have a lower one. The topic keeps the last line of a document, not the one with the highest
revision, so put the lines of a document in the order of their revisions. Without a revision, a
line is newer than those before it and than earlier imports: its revision is the time of the
import in microseconds. Records with lower ones, as of a producer that counts from 1, no longer
change its document; name the revision where there is such a producer.
Invalid lines are reported on standard error; all others are imported.

Example:
  $ npm run podium -- competition import changes.ndjson.gz

Exit codes: 0 all imported, 1 some lines or all refused, 2 wrong usage`;

/** Some lines were refused; they have been printed. */
class RefusedLinesError extends Error {}

/** `competition import <file>` */
export function importCommand(environment: CliEnvironment): Command {
  return withBrokers(
    new Command('import')
      .description('publish a file of changes (NDJSON, also gzip; - is standard input) to competition.changes.v1')
      .argument('<file>'),
  )
    .addHelpText('after', notes)
    .action(async (file: string, options: { brokers?: string }) => {
      const { published, refused } = await importFile(file, options, environment);
      const summary = `${published} changes published, ${refused} lines refused.`;
      if (refused > 0) throw new RefusedLinesError(summary);
      environment.err(`${summary}\n`);
    });
}

async function importFile(
  file: string,
  options: { brokers?: string },
  { env, err }: CliEnvironment,
): Promise<{ published: number; refused: number }> {
  const source = await openSource(file);
  const publisher = await ChangePublisher.start(connectKafka(options, env), quietLogger);
  const bar = progressBar(
    '{bar} {percentage} % | {value} of {total} bytes | {published} changes | {eta_formatted} left',
  );
  if (source.totalBytes !== null) bar.start(source.totalBytes, 0, { published: 0 });
  let shown = 0;
  let published = 0;
  try {
    const count = await importLines(source, {
      startedAtMs: Date.now(),
      publish: (records) => publisher.publish(records),
      onRefused: ({ number, reason }) => {
        if (++shown <= shownRefusals) err(`line ${number}: ${reason}\n`);
        if (shown === shownRefusals + 1) err('More lines are refused; they are counted.\n');
      },
      onProgress: (readBytes, publishedSoFar) => {
        published = publishedSoFar;
        bar.update(readBytes, { published });
      },
    });
    await publisher.end();
    bar.stop();
    return count;
  } catch (error) {
    await publisher.end().catch(() => undefined);
    bar.stop();
    // The last batch was counted when it was sent; it may be what failed.
    err(
      `At most ${published} changes were published before the import failed. It can be started again from the first line.\n`,
    );
    throw error;
  }
}

import { SingleBar } from 'cli-progress';
import { Command } from 'commander';
import { ChangePublisher } from './change-publisher';
import { importLines } from './import-lines';
import { openSource } from './source-lines';

const shownRefusals = 20;

const notes = `
Each line is one change, as JSON: {"kind":"player","id":"…","document":{…},"beside":{…}}, or {"kind":"player","id":"…",
"deleted":true}, or a whole record as \`npm run competition:generate\` writes it. A line may name its "revision"; the higher one of
a document wins. Without it, a line is newer than those before it and than earlier imports. Lines that are wrong are
named on standard error, all others are imported.

Environment:
  KAFKA_BROKERS   comma-separated host:port; without it those of the local stack that runs

Exit codes: 0 all imported, 1 some lines or all refused, 2 wrong usage`;

async function main(): Promise<number> {
  const program = new Command('npm run competition:import --')
    .description('Publishes a file of changes (NDJSON, also gzip; - is standard input) to competition.changes.v1.')
    .argument('<file>')
    .addHelpText('after', notes)
    .showHelpAfterError('(add --help for the format)')
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
    .parse(process.argv);
  const source = await openSource(program.args[0]);
  const publisher = await ChangePublisher.start();
  const bar = new SingleBar({
    format: '{bar} {percentage} % | {value} of {total} bytes | {published} changes | {eta_formatted} left',
    stream: process.stderr,
    noTTYOutput: true,
    notTTYSchedule: 5_000,
    hideCursor: true,
  });
  if (source.totalBytes !== null) bar.start(source.totalBytes, 0, { published: 0 });
  let shown = 0;
  try {
    const { published, refused } = await importLines(source, {
      startedAtMs: Date.now(),
      publish: (records) => publisher.publish(records),
      onRefused: ({ number, reason }) => {
        if (++shown <= shownRefusals) console.error(`line ${number}: ${reason}`);
        if (shown === shownRefusals + 1) console.error('More lines are refused; they are counted.');
      },
      onProgress: (readBytes, count) => bar.update(readBytes, { published: count }),
    });
    await publisher.end();
    bar.stop();
    console.error(`${published} changes published, ${refused} lines refused.`);
    return refused > 0 ? 1 : 0;
  } catch (error) {
    bar.stop();
    await publisher.end().catch(() => undefined);
    throw error;
  }
}

main().then(
  (code) => process.exit(code),
  (error: Error) => {
    console.error(`The import failed: ${error.message}`);
    process.exit(1);
  },
);

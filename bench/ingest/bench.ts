import { openFolders, removeStack } from '../../tools/stack/folders';
import { requireOwnServers } from '../../tools/stack/own-servers';
import { Progress } from '../../tools/stack/progress';
import { Session } from '../../tools/stack/session';
import { startBenchStack } from './bench-stack';
import { measureAwardLatency } from './measure-award-latency';
import { measureDrain } from './measure-drain';
import { measureOpenLoop } from './measure-open-loop';
import { measureThroughput } from './measure-throughput';
import { BenchOptions, readOptions } from './options';
import { BenchResult, describe, summarize } from './report';

/** Runs the benchmark on its own stack, which is always removed at the end. */
async function bench(options: BenchOptions): Promise<never> {
  const folders = openFolders(`bench-${Date.now().toString(36)}`);
  return Session.run('npm run bench:ingest', folders, async (session) => {
    session.defer(() => removeStack(folders));
    const progress = new Progress();
    const running = await startBenchStack(options, folders, progress, (step) => session.defer(step));
    const engagement = running.stack.services.first('engagement');
    // 1. On the idle stack: one event at a time to its award.
    const latency =
      options.samples === 0
        ? undefined
        : await progress.step(`${options.samples} events to their awards, idle`, () =>
            measureAwardLatency(running, options.samples),
          );
    // 2. Under load, without engagement, whose work comes after the 200 and would share the machine.
    await engagement.stop();
    const throughput = await measureThroughput(running, options, progress);
    const openLoop = await measureOpenLoop(running, options, progress);
    // 3. Engagement works off the backlog.
    let drain: BenchResult['drain'];
    if (options.drainS > 0) {
      await engagement.start();
      drain = await progress.step('Engagement works off its backlog', () =>
        measureDrain(running.kafka, options.drainS),
      );
    }
    const summary = summarize({ throughput, openLoop, latency, drain });
    progress.say('Stopping');
    session.defer(() => printResult(options.json ? JSON.stringify(summary, null, 2) : `\n${describe(summary)}`));
    return 0;
  });
}

const options = readOptions(process.argv.slice(2));
requireOwnServers('npm run bench:ingest');
const printResult = (text: string): void => void process.stdout.write(`${text}\n`);
// Progress is written by console.log; with --json standard output is the result alone.
if (options.json) console.log = console.error;
void bench(options);

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { runPodium } from '../podium';

/** What a command says to wrong arguments, before it asks any server. */
async function podium(
  args: readonly string[],
  env: Record<string, string> = { KAFKA_BROKERS: '127.0.0.1:1' },
): Promise<{ code: number; out: string; err: string }> {
  const seen = { out: '', err: '' };
  const code = await runPodium(args, {
    env: { STACK_NAME: 'not-running', ...env },
    readStdin: async () => '',
    out: (text) => void (seen.out += text),
    err: (text) => void (seen.err += text),
  });
  return { code, ...seen };
}

describe('a position that is none', () => {
  it.each([
    [['dlq', 'show', 'engagement.user-events', '--offset', 'bad'], 'as dlq show prints it'],
    [['batches', 'show', 'bonus.award-results.v1', 'bad'], 'as batches list prints it'],
    [['batches', 'pass', 'bonus.award-results.v1', 'bad', '--digest', '0c1f88a2b7e4'], 'as batches list prints it'],
    // A position of a dead letter would be taken: it is one of another topic, from which too much or too little is read.
    [['replay', 'engagement', '--from-offset', 'bad'], 'of the topic of events, as lag --partitions prints them'],
  ])('names the command that prints positions of its topic: %j', async (args, where) => {
    expect(await podium(args)).toEqual({ code: 2, out: '', err: `bad: must be <partition>:<offset>, ${where}.\n` });
  });
});

describe('brokers without a port', () => {
  it.each([
    [['status', '--brokers', 'kafka'], {}],
    [['status'], { KAFKA_BROKERS: 'kafka' }],
    [['lag'], { KAFKA_BROKERS: 'kafka' }],
  ])('are wrong usage, and are not shown as missing: %j %j', async (args, env) => {
    const { code, err } = await podium(args, env);
    expect([code, err]).toEqual([2, expect.stringMatching(/^Kafka's brokers must be host:port/)]);
  });
});

describe('a file of changes that cannot be read', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'podium-import-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['does not exist', path.join(folder, 'none.ndjson'), 'ENOENT'],
    ['is a folder', folder, 'it is a folder'],
  ])('because it %s is wrong usage', async (_label, file, reason) => {
    const { code, err } = await podium(['competition', 'import', file]);
    expect([code, err]).toEqual([2, expect.stringContaining(`${file} cannot be read: ${reason}`)]);
  });
});

it('a command that is none is answered with the way to the help', async () => {
  expect((await podium(['foo'])).err).toBe(
    "error: unknown command 'foo'\n(add --help for the options and an example)\n",
  );
});

import { runPodium } from '../podium';

describe('a number of items that is none', () => {
  it.each([
    [['dlq', 'show', 'engagement.user-events', '--limit', '0'], /--limit <count>.*'0' is invalid.*whole number from 1/],
    [['integrations', 'list', '--max', 'x'], /--max <count>.*'x' is invalid.*whole number from 1/],
  ])('is wrong usage, and the error names its option: %j', async (args, sentence) => {
    let err = '';
    const environment = { env: {}, readStdin: async () => '', out: () => undefined };
    expect(await runPodium(args, { ...environment, err: (text) => void (err += text) })).toBe(2);
    expect(err).toMatch(sentence);
  });
});

import { runPodium } from '../podium';

describe('dead letters without Kafka', () => {
  it.each([
    ['list'],
    ['show', 'engagement.award-results'],
    ['redrive', 'engagement.award-results', '--all', '--dry-run'],
  ])(
    'dlq %s ends with an error',
    async (...args) => {
      let err = '';
      const code = await runPodium(['dlq', ...args], {
        env: { KAFKA_BROKERS: '127.0.0.1:1' },
        readStdin: async () => '',
        out: () => undefined,
        err: (text) => void (err += text),
      });
      expect([code, err]).toEqual([1, expect.stringContaining('127.0.0.1:1') as string]);
    },
    30_000,
  );
});

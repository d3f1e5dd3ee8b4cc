import { Registry } from '@podium/runtime/metrics';
import { tablesOf } from '../../table-sets/table-set';
import type { SentAnswer } from '../answers/sent-answer';
import { AnswerCache, MadeAnswer } from './answer-cache';

const kib = 1024;

describe('answers that are larger than the cache keeps', () => {
  const versions = { current: () => Promise.resolve('1') };
  const cache = new AnswerCache(versions, { maxBytes: 16 * kib }, new Registry());
  const make = (bytes: number) => async (): Promise<MadeAnswer> => ({
    answer: {
      body: { pieces: [Buffer.alloc(bytes / 2), Buffer.alloc(bytes / 2)], byteLength: bytes },
      ...{ digest: '', cacheS: 1, link: null, deprecatedSince: undefined },
    },
    second: null,
  });
  const ask = (bytes: number): Promise<SentAnswer> => cache.of(`/${bytes}`, tablesOf('a'), make(bytes));

  it('are not copied, and concurrent requests share one', async () => {
    for (let time = 0; time < 3; time++) {
      const answers = await Promise.all([1, 2, 3].map(() => ask(kib)));
      expect(answers.map(({ body }) => body.pieces.length)).toEqual([2, 2, 2]);
      if (time > 0) expect(new Set(answers).size).toBe(1);
    }
  });

  it('are not mistaken for those that it keeps, in one piece', async () => {
    for (let time = 0; time < 3; time++) await ask(256);
    const [first, second] = [await ask(256), await ask(256)];
    expect([first.body.pieces.length, first === second]).toEqual([1, true]);
  });
});

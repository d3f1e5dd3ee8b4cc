import { getEventListeners } from 'node:events';
import { untilAny } from './until-any';

const reasonOf = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(signal.reason);
    signal.addEventListener('abort', () => resolve(signal.reason));
  });

describe('untilAny', () => {
  it.each([0, 1])('aborts with signal %d and its reason', async (at) => {
    const sources = [new AbortController(), new AbortController()];
    const signals = sources.map(({ signal }) => signal);
    const reason = untilAny(signals, reasonOf);
    sources[at].abort('first');
    sources[1 - at].abort('second');
    expect(await reason).toBe('first');
  });

  it('is aborted from the start if a signal is', async () => {
    const signals = [new AbortController().signal, AbortSignal.abort('over')];
    expect(await untilAny(signals, reasonOf)).toBe('over');
  });

  it.each([
    ['succeeds', async () => 7, 7],
    ['fails', async () => Promise.reject(new Error('failed')), 'failed'],
  ])('leaves nothing at a signal when the work %s', async (_, work, outcome) => {
    const { signal } = new AbortController();
    const seen = await untilAny([signal], async () => {
      expect(getEventListeners(signal, 'abort').length).toBe(1);
      return work();
    }).catch(({ message }: Error) => message);
    expect([seen, getEventListeners(signal, 'abort').length]).toEqual([outcome, 0]);
  });
});

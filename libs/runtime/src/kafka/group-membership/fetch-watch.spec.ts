import { FetchWatch } from './fetch-watch';

const answers = (brokers: Readonly<Record<string, boolean>>): ReadonlyMap<string, boolean> =>
  new Map(Object.entries(brokers));

describe('the time for which a client has waited for a response', () => {
  let nowMs: number;
  let watch: FetchWatch;

  beforeEach(() => {
    nowMs = 1_000;
    watch = new FetchWatch(() => nowMs);
  });

  it('is short while brokers respond', () => {
    for (; nowMs < 100_000; nowMs += 100) {
      watch.asked('1');
      watch.answered('1');
    }
    expect(watch.silenceMs()).toBe(100);
  });

  it('grows from the first fetch without a response, however often the client repeats it', () => {
    watch.answered('1');
    for (; nowMs < 61_000; nowMs += 5_000) watch.asked('1');
    expect(watch.silenceMs()).toBe(60_000);
    watch.answered('1');
    expect(watch.silenceMs()).toBe(0);
  });

  it('grows for one broker while others respond, but not for one that has left the cluster', () => {
    watch.asked('2');
    for (; nowMs < 61_000; nowMs += 100) {
      watch.asked('1');
      watch.answered('1');
    }
    expect(watch.silenceMs(answers({ 1: true, 2: true }))).toBe(60_000);
    expect(watch.silenceMs(answers({ 1: true, 3: true }))).toBe(100);
  });

  it('is that of the brokers which answer others, while one answers nobody', () => {
    watch.asked('2');
    watch.asked('3');
    nowMs += 40_000;
    watch.answered('3');
    watch.asked('3');
    nowMs += 20_000;
    expect(watch.silenceMs(answers({ 1: true, 2: false, 3: true }))).toBe(20_000);
    watch.answered('3');
    nowMs += 60_000;
    expect(watch.silenceMs(answers({ 1: true, 2: false, 3: true }))).toBe(0);
    expect(watch.silenceMs(answers({ 1: true, 2: true, 3: true }))).toBe(120_000);
  });

  it('does not grow while a batch is handled, however long', () => {
    const ended = watch.handling();
    nowMs += 600_000;
    expect(watch.silenceMs()).toBe(0);
    ended();
    nowMs += 5_000;
    expect(watch.silenceMs()).toBe(5_000);
  });

  it('grows when the client neither fetches nor handles: it hangs while it joins or leaves', () => {
    nowMs += 70_000;
    expect(watch.silenceMs()).toBe(70_000);
  });
});

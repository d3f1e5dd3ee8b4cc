import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { ConsumerClient } from './consumer-client';
import { PendingCommits } from './pending-commits';

const partition = ['topic', 0] as const;

/** What a broker holds of a partition that gets commits of `offset` when the test answers them. */
class Broker {
  committed = '';
  private readonly waiting: (() => void)[] = [];

  readonly receive = (offset: string): Promise<void> => {
    this.committed = offset;
    return new Promise((answer) => this.waiting.push(answer));
  };

  async answer(): Promise<void> {
    for (const answer of this.waiting.splice(0)) answer();
    await turn();
  }
}

describe('a pending commit', () => {
  const broker = new Broker();
  let arrival: Promise<void>;
  const commitOffsets = async (commits: readonly { offset: string }[]): Promise<void> => {
    await arrival;
    await broker.receive(commits[0].offset);
  };
  const client = { consumer: { commitOffsets }, request: <T>(asked: Promise<T>) => asked };
  const commits = new PendingCommits({
    client: () => client as unknown as ConsumerClient,
    logger: pino({ level: 'silent' }),
    coordinatorPatienceMs: 10_000,
    onMisdirected: () => undefined,
  });
  const repeat = async (): Promise<void> => {
    jest.advanceTimersByTime(500);
    await turn();
  };

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    arrival = Promise.resolve();
    commits.clear();
    commits.start();
  });

  afterEach(() => {
    commits.stop();
    jest.useRealTimers();
  });

  it('is not repeated after a newer one that waits for its answer', async () => {
    commits.add(...partition, 4n);
    const sent = commits.send(...partition, 12n, () => broker.receive('12'));
    await repeat();
    expect(broker.committed).toBe('12');
    await broker.answer();
    await sent;
  });

  it('that is being repeated does not replace a newer one for good', async () => {
    let arrive = (): void => undefined;
    arrival = new Promise((resolve) => (arrive = resolve));
    commits.add(...partition, 4n);
    await repeat();
    const sent = commits.send(...partition, 12n, () => broker.receive('12'));
    await broker.answer();
    await sent;
    arrive();
    await turn();
    expect(broker.committed).toBe('4');
    await broker.answer();
    await repeat();
    expect(broker.committed).toBe('12');
  });

  it('is repeated until it succeeds', async () => {
    const failing = commits.send(...partition, 12n, () => Promise.reject(new Error('no coordinator')));
    await expect(failing).rejects.toThrow('no coordinator');
    broker.committed = '';
    await repeat();
    expect(broker.committed).toBe('12');
    await broker.answer();
    broker.committed = '';
    await repeat();
    expect(broker.committed).toBe('');
  });
});

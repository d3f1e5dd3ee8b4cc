import { ViewGroup, topics } from '@podium/messages';
import { ContractProgressStore, WaitingContract } from './contract-progress.store';
import { ContractPositions, ContractWatcher } from './contract-watcher';

const published: WaitingContract = {
  integrationId: 'i',
  version: 1,
  platform: 'acme',
  barrierOffset: null,
  published: true,
};

describe('ContractWatcher', () => {
  const commits = new Map<string, bigint>();
  let waiting: WaitingContract[];
  /** Unknown while the partition has no leader. */
  let end: bigint | undefined;
  let asked: number;
  let confirmed: number[];

  const store = {
    waiting: async () => waiting,
    setBarrier: async (contract: WaitingContract, offset: number) => {
      waiting = waiting.map((other) =>
        other.version === contract.version ? { ...other, barrierOffset: offset } : other,
      );
    },
    setInForce: async (contract: WaitingContract) => {
      confirmed.push(contract.version);
      waiting = waiting.filter((other) => other.version !== contract.version);
    },
  };
  const positions: ContractPositions = {
    knownEnds: async () => {
      asked++;
      return [end];
    },
    liveViewGroups: async (prefix) => [...commits.keys()].filter((group) => group.startsWith(`${prefix}.`)),
    committed: async (group) => [commits.get(group) ?? -1n],
  };
  const watcher = new ContractWatcher(store as unknown as ContractProgressStore, positions);

  beforeEach(() => {
    waiting = [published];
    end = 7n;
    asked = 0;
    confirmed = [];
    commits.clear();
    for (const prefix of topics.integrations.inForceWhen) commits.set(`${prefix}.one`, 7n);
  });

  it('confirms once every live instance has committed up to the end read after the acknowledgement', async () => {
    commits.set('ingestion.contract-view.two', 6n);
    await watcher.run();
    expect(confirmed).toEqual([]);
    end = 9n;
    commits.set('ingestion.contract-view.two', 7n);
    await watcher.run();
    expect(confirmed).toEqual([1]);
  });

  it('waits while a kind of view has no live instance', async () => {
    const [first] = topics.integrations.inForceWhen as readonly ViewGroup[];
    commits.delete(`${first}.one`);
    await watcher.run();
    expect(confirmed).toEqual([]);
  });

  it('waits while the partition has no leader, instead of with the beginning as its end', async () => {
    end = undefined;
    await watcher.run();
    expect(confirmed).toEqual([]);
    end = 7n;
    await watcher.run();
    expect(confirmed).toEqual([1]);
  });

  it('skips versions that are still in the outbox, and does not query Kafka when no other version waits', async () => {
    waiting = [{ ...published, published: false }];
    await watcher.run();
    expect(confirmed).toEqual([]);
    expect(asked).toBe(0);
  });
});

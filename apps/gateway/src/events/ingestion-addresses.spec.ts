import { createLog } from '@podium/runtime/log';
import { IngestionAddresses } from './ingestion-addresses';

describe('several names in INGESTION_URLS, one of which does not resolve', () => {
  const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
  let ips: Record<string, string[]>;
  let addresses: IngestionAddresses;

  beforeEach(() => {
    ips = {};
    addresses = new IngestionAddresses(['http://a:8080', 'http://b:8080'], logger, async (name) => {
      if (!(name in ips)) throw new Error(`${name} does not resolve`);
      return ips[name];
    });
  });

  afterEach(() => addresses.stop());

  /** All addresses that batches go to. */
  const origins = (): string[] => {
    const tried = new Set<NonNullable<ReturnType<IngestionAddresses['pick']>>>();
    for (let next = addresses.pick(tried); next; next = addresses.pick(tried)) tried.add(next);
    return [...tried].map(({ origin }) => origin).sort();
  };

  it('keep the addresses of that one, and follow the others', async () => {
    ips = { a: ['10.0.0.1'], b: ['10.0.0.2', '10.0.0.3'] };
    await addresses.start();
    ips = { b: ['10.0.0.3', '10.0.0.4'] };
    await addresses.refresh();
    expect(origins()).toEqual(['http://10.0.0.1:8080', 'http://10.0.0.3:8080', 'http://10.0.0.4:8080']);
  });

  it('start with the addresses of the others', async () => {
    ips = { b: ['10.0.0.2'] };
    await addresses.start();
    expect(origins()).toEqual(['http://10.0.0.2:8080']);
    ips = { a: ['10.0.0.1'], b: ['10.0.0.2'] };
    await addresses.refresh();
    expect(origins()).toEqual(['http://10.0.0.1:8080', 'http://10.0.0.2:8080']);
  });

  it('do not wait for one that takes long', async () => {
    let resolveA: (ips: string[]) => void = () => undefined;
    const slow = new Promise<string[]>((resolve) => (resolveA = resolve));
    addresses = new IngestionAddresses(['http://a:8080', 'http://b:8080'], logger, async (name) =>
      name === 'a' ? slow : ['10.0.0.2'],
    );
    const refreshed = addresses.refresh();
    await new Promise((resolve) => setImmediate(resolve));
    expect(origins()).toEqual(['http://10.0.0.2:8080']);
    resolveA(['10.0.0.1']);
    await refreshed;
    expect(addresses.size()).toBe(2);
  });

  it('ask for a name once while its answer is missing', async () => {
    const asked: string[] = [];
    let answer: (ips: string[]) => void = () => undefined;
    addresses = new IngestionAddresses(['http://a:8080', 'http://b:8080'], logger, async (name) => {
      asked.push(name);
      return name === 'a' ? new Promise<string[]>((resolve) => (answer = resolve)) : ['10.0.0.2'];
    });
    const first = addresses.refresh();
    await new Promise((resolve) => setImmediate(resolve));
    const second = addresses.refresh();
    expect(asked).toEqual(['a', 'b', 'b']);
    answer(['10.0.0.1']);
    await Promise.all([first, second]);
    const third = addresses.refresh();
    answer(['10.0.0.3']);
    await third;
    expect(asked).toEqual(['a', 'b', 'b', 'a', 'b']);
    expect(origins()).toEqual(['http://10.0.0.2:8080', 'http://10.0.0.3:8080']);
  });
});

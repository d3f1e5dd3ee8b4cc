import { freePort } from './ports';

describe('a free port', () => {
  const { JEST_WORKER_ID } = process.env;

  const draw = async (): Promise<number[]> => {
    const ports: number[] = [];
    while (ports.length < 100) ports.push(await freePort());
    return ports;
  };

  const shareOf = (port: number): number => (port - 15_000) % 32;

  afterEach(() => {
    process.env.JEST_WORKER_ID = JEST_WORKER_ID;
  });

  it('is never one that another worker of jest draws', async () => {
    const drawn: number[][] = [];
    for (const worker of ['1', '2']) {
      process.env.JEST_WORKER_ID = worker;
      drawn.push(await draw());
    }
    const shares = drawn.map((ports) => new Set(ports.map((port) => port % 32)));
    expect(shares.map((share) => [...share])).toEqual([[expect.any(Number)], [expect.any(Number)]]);
    expect(shares[0]).not.toEqual(shares[1]);
    for (const port of drawn.flat()) expect([port, port >= 15_000 && port < 32_768]).toEqual([port, true]);
  });

  it('is outside of jest one of thousands that no worker draws', async () => {
    process.env.JEST_WORKER_ID = '17';
    const ofWorker = shareOf((await draw())[0]);
    delete process.env.JEST_WORKER_ID;
    const shares = new Set((await draw()).map(shareOf));
    expect(ofWorker).toBeLessThan(16);
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(16);
    expect(shares.size).toBeGreaterThan(8);
  });
});

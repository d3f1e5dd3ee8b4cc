import { freePort } from './ports';

describe('a free port', () => {
  const { JEST_WORKER_ID } = process.env;

  afterEach(() => {
    process.env.JEST_WORKER_ID = JEST_WORKER_ID;
  });

  it('is never one that another worker of jest draws', async () => {
    const drawn: number[][] = [];
    for (const worker of ['1', '2']) {
      process.env.JEST_WORKER_ID = worker;
      drawn.push([]);
      while (drawn[drawn.length - 1].length < 100) drawn[drawn.length - 1].push(await freePort());
    }
    const shares = drawn.map((ports) => new Set(ports.map((port) => port % 32)));
    expect(shares.map((share) => [...share])).toEqual([[expect.any(Number)], [expect.any(Number)]]);
    expect(shares[0]).not.toEqual(shares[1]);
    for (const port of drawn.flat()) expect([port, port >= 15_000 && port < 32_768]).toEqual([port, true]);
  });
});

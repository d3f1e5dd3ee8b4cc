import { setTimeout as sleep } from 'node:timers/promises';
import { PatientServer } from '../../test/patient-server';
import { IngestionAddress, isBetter } from './ingestion-address';

describe('IngestionAddress', () => {
  let nowMs = 0;
  const addressOf = (): IngestionAddress => new IngestionAddress('http://127.0.0.1:1', () => nowMs);

  beforeEach(() => (nowMs = 1_000_000));

  it('rests longer after each failure, within limits, and not at all after a success', () => {
    const address = addressOf();
    const rests = Array.from({ length: 30 }, () => address.failed());
    for (const [at, restMs] of rests.entries()) {
      const plainMs = Math.min(10_000, 1_000 * 2 ** at);
      expect(restMs).toBeGreaterThanOrEqual(0.8 * plainMs);
      expect(restMs).toBeLessThanOrEqual(1.2 * plainMs);
    }
    expect(address.restLeftMs()).toBeLessThanOrEqual(12_000);
    address.succeeded();
    expect([address.isFree(), address.restLeftMs()]).toEqual([true, 0]);
    expect(address.failed(5_000)).toBeGreaterThanOrEqual(4_000);
  });

  it('is probed by one batch at a time after its rest', () => {
    const address = addressOf();
    address.failed();
    expect(address.isFree()).toBe(false);
    nowMs += 1_200;
    expect(address.isFree()).toBe(true);
    address.underWay = 1;
    expect(address.isFree()).toBe(false);
  });

  it('is chosen if it is free, then by its remaining rest, then by its batches in flight', () => {
    const [busy, idle, short, long] = [addressOf(), addressOf(), addressOf(), addressOf()];
    busy.underWay = 3;
    short.failed();
    long.failed(8_000);
    const order = [busy, idle, short, long].sort((a, b) => (isBetter(a, b) ? -1 : isBetter(b, a) ? 1 : 0));
    expect(order).toEqual([idle, busy, short, long]);
  });

  it('closes a connection that is unused for as long as an instance drains, whatever the instance allows', async () => {
    const server = new PatientServer();
    const address = new IngestionAddress(await server.start());
    try {
      await (await address.pool.request({ method: 'GET', path: '/' })).body.text();
      expect(await server.connections()).toBe(1);
      for (let waitedMs = 0; waitedMs < 8_000 && (await server.connections()) > 0; waitedMs += 50) await sleep(50);
      expect(await server.connections()).toBe(0);
    } finally {
      await address.pool.close();
      await server.stop();
    }
  }, 15_000);
});

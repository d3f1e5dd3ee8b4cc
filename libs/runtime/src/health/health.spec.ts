import { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { Health } from './health';
import { startHealthServer } from './health-server';

describe('health', () => {
  it('follows start, gates and drain; liveness stays', async () => {
    const health = new Health();
    const server = await startHealthServer(health, new Registry(), { host: '127.0.0.1', port: 0 });
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const status = async (path: string): Promise<number> => (await fetch(base + path)).status;
    let viewOpen = false;
    health.gate('view', () => viewOpen);
    expect([await status('/health/live'), await status('/health/startup'), await status('/health/ready')]).toEqual([
      200, 503, 503,
    ]);
    health.markStarted();
    expect([await status('/health/startup'), await status('/health/ready')]).toEqual([200, 503]);
    expect(health.reasons()).toEqual(['view']);
    viewOpen = true;
    expect(await status('/health/ready')).toBe(200);
    expect(await status('/metrics')).toBe(200);
    health.drain();
    expect([await status('/health/live'), await status('/health/ready')]).toEqual([200, 503]);
    server.close();
  });
});

import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Server, createServer } from 'node:tls';
import { CertificateAuthority } from '@podium/simulated-partner/http/certificates';
import { localStack } from '@podium/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { FastRedis } from './redis';

const silent = pino({ level: 'silent' });

type Certificate = ReturnType<CertificateAuthority['issue']>;

describe('Redis with TLS', () => {
  const authorities = [new CertificateAuthority(), new CertificateAuthority()];
  const [authority, further] = authorities;
  const issue = (by: CertificateAuthority, days = 90): Certificate => by.issue({ altName: 'IP:127.0.0.1', days });
  let folder: string;
  let caFile: string;
  let server: Server;
  let redis: FastRedis;
  let registry: Registry;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'podium-redis-'));
    caFile = join(folder, 'ca.crt');
    registry = new Registry();
  });
  afterEach(async () => {
    await redis.stop();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  });
  afterAll(() => authorities.forEach((each) => each.remove()));

  /** Redis behind TLS, and a client that reads the authority from `caFile`. */
  async function start(certificate: Certificate): Promise<void> {
    const { hostname, port } = new URL(localStack().redisUrl);
    server = createServer(certificate, (socket) => {
      const onward = connect(Number(port), hostname);
      for (const end of [socket, onward])
        end.on('error', () => undefined).on('close', () => [socket, onward].forEach((each) => each.destroy()));
      socket.pipe(onward).pipe(socket);
    });
    server.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `rediss://127.0.0.1:${(server.address() as AddressInfo).port}`;
    redis = new FastRedis({ url, caFile, commandTimeoutMs: 2_000 }, silent, registry);
    await redis.start();
  }

  const reconnect = (): Promise<void> => redis.run(async (client) => client.disconnect(true));

  async function waitUntilConnected(): Promise<void> {
    for (const endMs = Date.now() + 10_000; redis.isAway(); await sleep(20)) expect(Date.now()).toBeLessThan(endMs);
  }

  it('is trusted once the file of its authority is there, and after the authority has changed', async () => {
    await start(issue(authority));
    await sleep(300);
    expect(redis.isAway()).toBe(true);
    writeFileSync(caFile, authority.cert);
    await waitUntilConnected();
    server.setSecureContext(issue(further));
    await reconnect();
    for (const endMs = Date.now() + 10_000; !redis.isAway(); await sleep(20)) expect(Date.now()).toBeLessThan(endMs);
    await sleep(300);
    expect(redis.isAway()).toBe(true);
    writeFileSync(caFile, further.cert);
    await waitUntilConnected();
    await expect(redis.run((client) => client.ping())).resolves.toBe('PONG');
  });

  it('exports when the certificate ends that the server shows: 0 before a connection, another one after its renewal', async () => {
    const shown = async (): Promise<number | undefined> =>
      (await registry.getSingleMetric('redis_certificate_expiry_timestamp_seconds')!.get()).values[0]?.value;
    const endOf = ({ cert }: { cert: string }): number => Date.parse(new X509Certificate(cert).validTo) / 1_000;
    const [former, renewed] = [issue(authority, 3), issue(authority, 90)];
    await start(former);
    expect(await shown()).toBe(0);
    writeFileSync(caFile, authority.cert);
    await waitUntilConnected();
    expect(await shown()).toBe(endOf(former));
    server.setSecureContext(renewed);
    await reconnect();
    for (const endMs = Date.now() + 5_000; (await shown()) !== endOf(renewed); await sleep(20))
      expect(Date.now()).toBeLessThan(endMs);
  });
});

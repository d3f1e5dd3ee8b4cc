import { execFile } from 'node:child_process';
import { X509Certificate, randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { connect } from 'node:tls';
import { promisify } from 'node:util';
import { CertificateAuthority } from '@podium/simulated-partner/http/certificates';
import { StackFolders, openFolders, removeStack } from '../../tools/stack/folders';
import { freePort } from '../../tools/stack/ports';
import { findRedisServer } from '../../tools/stack/redis-program';
import { ServerProcess } from '../../tools/stack/server-process';
import { manifestsFolder, ofKind, parseOverlay } from './checks/overlays';
import { redisAclFile } from './generators/secrets';
import { Workload } from './manifests/workload';
import { RedisServer, redisServers } from './service-needs';

const run = promisify(execFile);
const component = path.join(manifestsFolder, 'components/redis');

/** A Redis as its Deployment starts it, with the container's folders below one of the test. */
class DeployedRedis {
  private constructor(
    private readonly root: string,
    private readonly folders: StackFolders,
    private readonly port: number,
    private readonly probe: readonly string[],
    private readonly env: NodeJS.ProcessEnv,
    private readonly process: ServerProcess,
  ) {}

  static async of(server: RedisServer): Promise<DeployedRedis> {
    const name = `redis-${server}`;
    const folders = openFolders(`${name}-${randomBytes(4).toString('hex')}`);
    const root = fs.mkdtempSync(path.join(folders.data, 'root-'));
    const port = await freePort();
    const here = (text: string): string =>
      text.replaceAll(/\/(run\/redis|etc\/redis|data)\b/g, (folder) => root + folder).replaceAll('6379', String(port));
    for (const folder of ['bin', 'data', 'etc/redis', 'run/redis/tls', 'run/redis/users'])
      fs.mkdirSync(path.join(root, folder), { recursive: true });
    const conf = fs.readFileSync(path.join(component, `${name}.conf`), 'utf8');
    fs.writeFileSync(path.join(root, 'etc/redis', `${name}.conf`), `${here(conf)}bind 127.0.0.1\n`);

    const { command: program, env: own } = await findRedisServer(folders);
    fs.symlinkSync(program, path.join(root, 'bin/redis-server'));
    fs.symlinkSync(program.replace(/-server$/, '-cli'), path.join(root, 'bin/redis-cli'));
    const env = { ...own, PATH: `${path.join(root, 'bin')}:${own.PATH ?? ''}` };
    const manifest = parseOverlay(name, fs.readFileSync(path.join(component, `${name}.yaml`), 'utf8'));
    const [container] = ofKind<Workload>(manifest, 'Deployment')[0].spec.template.spec.containers;
    const [command, ...args] = (container.command ?? []).map(here);
    const probe = (container.livenessProbe?.exec?.command ?? []).map(here);
    const process = new ServerProcess({ name, command, args, env, logPath: path.join(folders.logs, 'redis.log') });
    return new DeployedRedis(root, folders, port, probe, env, process);
  }

  /** Replaces a file of a mounted secret. */
  write(file: string, content: string): void {
    fs.writeFileSync(path.join(this.root, 'run/redis', file), content);
  }

  /** Starts the container's process, as after a restart of the container. */
  async start(): Promise<void> {
    await this.process.stop(10_000);
    this.process.spawn();
    await this.process.waitUntil(() => this.isAlive(), 20_000);
  }

  /** Whether the liveness probe succeeds. */
  async isAlive(): Promise<boolean> {
    const [command, ...args] = this.probe;
    return run(command, args, { env: this.env }).then(
      () => true,
      () => false,
    );
  }

  /** Fingerprint of the certificate that new connections get. */
  served(): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port: this.port, rejectUnauthorized: false }, () => {
        resolve(socket.getPeerCertificate().fingerprint256);
        socket.destroy();
      });
      socket.once('error', reject);
    });
  }

  async remove(): Promise<void> {
    await this.process.stop(10_000);
    removeStack(this.folders);
  }
}

describe.each(redisServers)('the Redis of %s, as its Deployment starts it', (server) => {
  let authority: CertificateAuthority;
  let redis: DeployedRedis;

  beforeAll(async () => {
    authority = new CertificateAuthority();
    redis = await DeployedRedis.of(server);
    giveCertificate(90);
    giveUsers('first');
    await redis.start();
  }, 120_000);

  afterAll(async () => {
    await redis?.remove();
    authority?.remove();
  });

  /** Returns its fingerprint. */
  function giveCertificate(days: number): string {
    const { key, cert } = authority.issue({ altName: `DNS:redis-${server}`, days });
    redis.write('tls/tls.key', key);
    redis.write('tls/tls.crt', cert);
    redis.write('tls/ca.crt', authority.cert);
    return new X509Certificate(cert).fingerprint256;
  }

  function giveUsers(password: string): void {
    redis.write(
      'users/users.acl',
      redisAclFile(server, () => Buffer.from(password.padEnd(32)).toString('hex')),
    );
  }

  it('restarts after a renewal of its certificate, and serves the new one', async () => {
    expect(await redis.isAlive()).toBe(true);
    const renewed = giveCertificate(90);
    expect(await redis.served()).not.toBe(renewed);
    expect(await redis.isAlive()).toBe(false);
    await redis.start();
    expect(await redis.served()).toBe(renewed);
  });

  it('restarts after a change of its users', async () => {
    expect(await redis.isAlive()).toBe(true);
    giveUsers('second');
    expect(await redis.isAlive()).toBe(false);
    await redis.start();
  });

  it('keeps its open connections while an expired certificate is not renewed', async () => {
    giveCertificate(-1);
    await redis.start();
    expect(await redis.isAlive()).toBe(true);
  });
});

import * as fs from 'node:fs';
import * as net from 'node:net';
import * as path from 'node:path';
import { text } from 'node:stream/consumers';
import { DistributionProgram, RunnableProgram, findOnPath, unpackedProgram } from './distribution-package';
import { StackFolders } from './folders';
import { freePort } from './ports';
import { ServerProcess } from './server-process';

const program: DistributionProgram = {
  name: 'haproxy',
  programs: ['sbin/haproxy'],
  packages: ['haproxy'],
  remedy:
    'haproxy is not on the PATH and could not be unpacked from the distribution: install HAProxy, the tests of rolling updates need it.',
};

/** A service behind the proxy. */
export interface ProxiedService {
  readonly name: string;
  /** `http` balances requests over persistent connections; `tcp` balances connections, as a Service of Kubernetes does. */
  readonly mode: 'http' | 'tcp';
}

/** Servers that a service may have had in one run. */
const slots = 8;

/** HAProxy in front of services whose instances come and go. */
export class HaProxy {
  private readonly taken = new Map<string, string[]>();

  private constructor(
    private readonly process: ServerProcess,
    private readonly controlPort: number,
    private readonly ports: ReadonlyMap<string, number>,
  ) {}

  /** Starts with no instance behind any service. */
  static async start(folders: StackFolders, services: readonly ProxiedService[]): Promise<HaProxy> {
    const { command, env } = await findHaProxy(folders);
    const controlPort = await freePort();
    const ports = new Map<string, number>();
    for (const { name } of services) ports.set(name, await freePort());
    const file = path.join(folders.root, 'haproxy.cfg');
    fs.writeFileSync(file, configuration(services, ports, controlPort));
    const logPath = path.join(folders.logs, 'haproxy.log');
    const process = new ServerProcess({ name: 'haproxy', command, args: ['-f', file], env, logPath });
    const proxy = new HaProxy(process, controlPort, ports);
    process.spawn();
    await process.waitUntil(
      () =>
        proxy.command('show info').then(
          () => true,
          () => false,
        ),
      10_000,
    );
    return proxy;
  }

  get logPath(): string {
    return this.process.logPath;
  }

  /** Where a service is reached through the proxy. */
  urlOf(service: string): string {
    return `http://127.0.0.1:${this.ports.get(service)}`;
  }

  /** Adds an instance: it gets requests or connections from now on. */
  async add(service: string, url: string): Promise<void> {
    const taken = this.taken.get(service) ?? [];
    const slot = `${service}/s${taken.push(url)}`;
    this.taken.set(service, taken);
    const { hostname, port } = new URL(url);
    await this.command(`set server ${slot} addr ${hostname} port ${port}`);
    await this.command(`set server ${slot} state ready`);
  }

  /** Drains an instance: it gets no new requests or connections; existing ones continue. */
  async remove(service: string, url: string): Promise<void> {
    const slot = (this.taken.get(service) ?? []).lastIndexOf(url) + 1;
    if (slot === 0) throw new Error(`${url} is not behind ${service}`);
    await this.command(`set server ${service}/s${slot} state drain`);
  }

  async stop(): Promise<void> {
    await this.process.stop(5_000, 'SIGUSR1');
  }

  /** One command of the runtime interface; a response to `set server` is an error or a confirmation. */
  private async command(line: string): Promise<string> {
    const socket = net.connect(this.controlPort, '127.0.0.1');
    socket.end(`${line}\n`);
    const answer = (await text(socket)).trim();
    if (/^(No such|Require|'set server|Invalid|Unknown|Failed)/i.test(answer)) throw new Error(`${line}: ${answer}`);
    return answer;
  }
}

async function findHaProxy(folders: StackFolders): Promise<RunnableProgram> {
  const installed = findOnPath('haproxy');
  return installed ? { command: installed, env: process.env } : unpackedProgram(program, folders);
}

/** No retries, and every idle connection is reused, so that failures caused by a stop are visible. */
function configuration(
  services: readonly ProxiedService[],
  ports: ReadonlyMap<string, number>,
  controlPort: number,
): string {
  const sections = services.map(
    ({ name, mode }) => `
frontend in-${name}
  bind 127.0.0.1:${ports.get(name)}
  mode ${mode}
  option ${mode}log
  default_backend ${name}

backend ${name}
  mode ${mode}
  balance roundrobin
  ${mode === 'http' ? 'http-reuse always' : ''}
  server-template s 1-${slots} 127.0.0.1:1 disabled
`,
  );
  return `global
  maxconn 4000
  log stdout format raw local0
  stats socket ipv4@127.0.0.1:${controlPort} level admin

defaults
  log global
  retries 0
  timeout connect 2s
  timeout client 75s
  timeout server 75s
  timeout http-keep-alive 60s
${sections.join('')}`;
}

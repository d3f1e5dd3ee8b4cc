import * as fs from 'node:fs';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StackFolders } from '../../tools/stack/folders';
import { HaProxy } from '../../tools/stack/haproxy';
import { PortName, freePort } from '../../tools/stack/ports';
import { preloading } from '../../tools/stack/preload';
import { RunningServices, ServiceHandle } from '../../tools/stack/running-services';
import { AppName } from '../../tools/stack/services';
import { StopTerms } from './manifest';

/** The services of a deployment, in the order of the test's rolling update. */
export const rolledApps = ['gateway', 'linkage', 'ingestion', 'engagement', 'competition-read'] as const;

/** A service of a deployment. */
export type RolledApp = (typeof rolledApps)[number];

/**
 * Delay in ms until each route to an instance reflects a change of the endpoints. The edge proxy and the node's rules watch the
 * endpoints; DNS responses are cached for 5 s.
 */
const endpointDelayMs = { edge: 3_000, node: 1_500, dns: 6_000 } as const;

const ingestionName = 'ingestion.cluster.internal';

/** How the old instance of a rolling update ended. */
export interface Departure {
  readonly app: RolledApp;
  /** Null when it had to be killed. */
  readonly exitCode: number | null;
  readonly tookMs: number;
}

/**
 * The network between clients and instances in a cluster: an edge proxy with keep-alive connections, Services that balance
 * connections to linkage, engagement and competition-read, and DNS for ingestion's headless Service.
 */
export class Cluster {
  /** One line for every step, with the time of day. */
  readonly log: string[] = [];

  private constructor(
    private readonly proxy: HaProxy,
    private readonly dnsFile: string,
    private readonly ingestionPort: number,
    private readonly firstPorts: ReadonlyMap<PortName, number>,
  ) {}

  static async start(folders: StackFolders): Promise<Cluster> {
    const proxy = await HaProxy.start(folders, [
      { name: 'gateway', mode: 'http' },
      { name: 'linkage', mode: 'tcp' },
      { name: 'engagement', mode: 'tcp' },
      { name: 'competition-read', mode: 'tcp' },
    ]);
    const firstPorts = new Map<PortName, number>();
    for (const app of rolledApps) firstPorts.set(app, await freePort());
    const dnsFile = path.join(folders.root, 'cluster-dns.json');
    fs.writeFileSync(dnsFile, JSON.stringify({ [ingestionName]: ['127.0.0.1'] }));
    const cluster = new Cluster(proxy, dnsFile, firstPorts.get('ingestion') ?? 0, firstPorts);
    for (const app of rolledApps)
      if (app !== 'ingestion') await proxy.add(app, `http://127.0.0.1:${firstPorts.get(app)}`);
    return cluster;
  }

  get publicUrl(): string {
    return this.proxy.urlOf('gateway');
  }

  /** The proxy's access log. */
  get proxyLogPath(): string {
    return this.proxy.logPath;
  }

  /** Assigns the first instances the ports that the proxy already knows. */
  readonly ports = async (name: PortName): Promise<number> => this.firstPorts.get(name) ?? (await freePort());

  /** The URLs at which services reach each other. */
  get urls(): Readonly<Partial<Record<AppName, readonly string[]>>> {
    return {
      gateway: [this.publicUrl],
      linkage: [this.proxy.urlOf('linkage')],
      engagement: [this.proxy.urlOf('engagement')],
      'competition-read': [this.proxy.urlOf('competition-read')],
      ingestion: [`http://${ingestionName}:${this.ingestionPort}`],
    };
  }

  /** The environment of every rolled service: the timeouts of the manifest, and the cluster's DNS for the gateway. */
  env(terms: ReadonlyMap<AppName, StopTerms>): Partial<Record<AppName, Record<string, string>>> {
    const env: Partial<Record<AppName, Record<string, string>>> = {};
    for (const app of rolledApps) env[app] = { ...terms.get(app)?.settings };
    const NODE_OPTIONS = preloading(path.join(__dirname, 'cluster-dns.cjs'));
    Object.assign(env.gateway ?? {}, { NODE_OPTIONS, CLUSTER_DNS_FILE: this.dnsFile });
    return env;
  }

  /**
   * Rolls a service with maxSurge 1 and maxUnavailable 0. When the new instance is ready, the old one gets SIGTERM as it leaves
   * the endpoints; clients learn of that later. Resolves once the new one is ready; `departed` once the old one has ended.
   */
  async roll(
    services: RunningServices,
    app: RolledApp,
    { graceMs }: StopTerms,
  ): Promise<{ departed: Promise<Departure> }> {
    const old = services.first(app);
    // Pods of a headless Service have addresses of their own and one port.
    const place = app === 'ingestion' ? { host: '127.0.0.2', port: this.ingestionPort } : {};
    const next = await services.add(app, place);
    this.say(`${next.name} is ready, ${old.name} gets SIGTERM`);
    const rerouted = this.reroute(app, old, next);
    const departure = depart(app, old, graceMs);
    const departed = Promise.all([departure, rerouted]).then(([left]) => {
      this.say(`${old.name} has ended with ${left.exitCode} after ${(left.tookMs / 1000).toFixed(1)} s`);
      return left;
    });
    return { departed };
  }

  async stop(): Promise<void> {
    await this.proxy.stop();
  }

  private async reroute(app: RolledApp, old: ServiceHandle, next: ServiceHandle): Promise<void> {
    if (app === 'ingestion') {
      await sleep(endpointDelayMs.dns);
      fs.writeFileSync(`${this.dnsFile}.new`, JSON.stringify({ [ingestionName]: [new URL(next.url).hostname] }));
      fs.renameSync(`${this.dnsFile}.new`, this.dnsFile);
    } else {
      await sleep(app === 'gateway' ? endpointDelayMs.edge : endpointDelayMs.node);
      await this.proxy.add(app, next.url);
      await this.proxy.remove(app, old.url);
    }
    this.say(`requests for ${app} go to ${next.name}`);
  }

  private say(line: string): void {
    this.log.push(`${new Date().toISOString().slice(11, 23)}  ${line}`);
  }
}

/** SIGTERM, and SIGKILL when the grace period is over. */
async function depart(app: RolledApp, instance: ServiceHandle, graceMs: number): Promise<Departure> {
  const startedMs = performance.now();
  const kubelet = setTimeout(() => void instance.kill('SIGKILL'), graceMs);
  const exitCode = await instance.kill('SIGTERM');
  clearTimeout(kubelet);
  return { app, exitCode, tookMs: performance.now() - startedMs };
}

import * as fs from 'node:fs';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StackFolders } from '../../tools/stack/folders';
import { HaProxy } from '../../tools/stack/haproxy';
import { PortName, freePort } from '../../tools/stack/ports';
import { RunningServices, ServiceHandle } from '../../tools/stack/running-services';
import { AppName } from '../../tools/stack/services';
import { StopTerms } from './manifest';

/** The services of a deployment, in the order in which a release rolls them here. */
export const rolledApps = ['gateway', 'linkage', 'ingestion', 'engagement', 'competition-read'] as const;

/** A service of a deployment. */
export type RolledApp = (typeof rolledApps)[number];

/**
 * How late each way to an instance learns that it came or went, ms: the proxy at the edge and the rules of a node by a watch
 * of the endpoints, DNS with the 5 s for which its answers are kept.
 */
const learnsAfterMs = { edge: 3_000, node: 1_500, dns: 6_000 } as const;

const ingestionName = 'ingestion.cluster.internal';

/** How the old instance of a roll left. */
export interface Departure {
  readonly app: RolledApp;
  /** Null: it had to be killed. */
  readonly exitCode: number | null;
  readonly tookMs: number;
}

/**
 * What stands between clients and instances in a cluster: a proxy with kept connections at the edge, Services that balance
 * connections for linkage, engagement and competition-read, and DNS for ingestion's headless Service.
 */
export class Cluster {
  /** Said of every step, with the time of day. */
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

  /** The proxy's log, a line per request. */
  get proxyLogPath(): string {
    return this.proxy.logPath;
  }

  /** Gives the first instances the ports that are behind the proxy already. */
  readonly ports = async (name: PortName): Promise<number> => this.firstPorts.get(name) ?? (await freePort());

  /** Where services find each other. */
  get urls(): Readonly<Partial<Record<AppName, readonly string[]>>> {
    return {
      gateway: [this.publicUrl],
      linkage: [this.proxy.urlOf('linkage')],
      engagement: [this.proxy.urlOf('engagement')],
      'competition-read': [this.proxy.urlOf('competition-read')],
      ingestion: [`http://${ingestionName}:${this.ingestionPort}`],
    };
  }

  /** The environment of every rolled service: the manifest's times, and the cluster's DNS for the gateway. */
  env(terms: ReadonlyMap<AppName, StopTerms>): Partial<Record<AppName, Record<string, string>>> {
    const env: Partial<Record<AppName, Record<string, string>>> = {};
    for (const app of rolledApps) env[app] = { ...terms.get(app)?.settings };
    const preload = `--require ${path.join(__dirname, 'cluster-dns.cjs')}`;
    const options = [process.env.NODE_OPTIONS, preload].filter(Boolean).join(' ');
    Object.assign(env.gateway ?? {}, { NODE_OPTIONS: options, CLUSTER_DNS_FILE: this.dnsFile });
    return env;
  }

  /**
   * Rolls a service with maxSurge 1 and maxUnavailable 0: when the new instance is ready the old one gets SIGTERM at the
   * moment at which it leaves the endpoints, of which everybody learns later. Resolves once the new one is ready; `departed`
   * once the old one is gone.
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
    const told = this.tell(app, old, next);
    const departure = depart(app, old, graceMs);
    const departed = Promise.all([departure, told]).then(([left]) => {
      this.say(`${old.name} has ended with ${left.exitCode} after ${(left.tookMs / 1000).toFixed(1)} s`);
      return left;
    });
    return { departed };
  }

  async stop(): Promise<void> {
    await this.proxy.stop();
  }

  private async tell(app: RolledApp, old: ServiceHandle, next: ServiceHandle): Promise<void> {
    if (app === 'ingestion') {
      await sleep(learnsAfterMs.dns);
      fs.writeFileSync(`${this.dnsFile}.new`, JSON.stringify({ [ingestionName]: [new URL(next.url).hostname] }));
      fs.renameSync(`${this.dnsFile}.new`, this.dnsFile);
    } else {
      await sleep(app === 'gateway' ? learnsAfterMs.edge : learnsAfterMs.node);
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

import { StackAddresses } from '../../tools/stack/infrastructure';
import { PortName, PortPlan, freePort } from '../../tools/stack/ports';
import { RunningServices, ServiceHandle, ServicesOptions } from '../../tools/stack/running-services';
import { ServiceUrls } from '../../tools/stack/service-env';
import { AppName } from '../../tools/stack/services';
import { StackFolders } from '../../tools/stack/folders';
import { WholeStack } from '../../tools/stack/whole-stack';
import { Progress } from '../../tools/stack/progress';
import { rolledApps } from './cluster';

/** Fixed ports for the first instances of a release, chosen before the start so that the other release can know them. */
class ReleasePorts {
  private constructor(private readonly ports: ReadonlyMap<PortName, number>) {}

  static async choose(): Promise<ReleasePorts> {
    const ports = new Map<PortName, number>();
    for (const app of [...rolledApps, 'sandbox'] as const) ports.set(app, await freePort());
    return new ReleasePorts(ports);
  }

  readonly plan: PortPlan = async (name) => this.ports.get(name) ?? (await freePort());

  urlOf(app: AppName): string {
    return `http://127.0.0.1:${this.ports.get(app as PortName)}`;
  }
}

/** Settings of the previous release whose names this one does not set, or whose values it cannot parse. */
function settingsOfPrevious({ redis_url: REDIS_URL }: StackAddresses, sandboxUrl: string): ServicesOptions['env'] {
  return {
    gateway: { REDIS_URL },
    ingestion: { REDIS_URL },
    linkage: { PARTNER_ADDRESS_ALLOW_LIST: new URL(sandboxUrl).host },
  };
}

/**
 * This release and the previous one on the same servers, migrated by this one. Each gateway sends events to both ingestions, and
 * all other requests to the services of the other release, so that these requests cross releases.
 */
export class TwoReleases {
  private constructor(
    readonly stack: WholeStack,
    readonly previous: RunningServices,
  ) {}

  static async start(folders: StackFolders, previousCheckout: string): Promise<TwoReleases> {
    const [ports, previousPorts] = [await ReleasePorts.choose(), await ReleasePorts.choose()];
    const urlsFrom = (other: ReleasePorts): ServiceUrls => ({
      gateway: [ports.urlOf('gateway')],
      sandbox: [ports.urlOf('sandbox')],
      ingestion: [ports.urlOf('ingestion'), previousPorts.urlOf('ingestion')],
      linkage: [other.urlOf('linkage')],
      engagement: [other.urlOf('engagement')],
      'competition-read': [other.urlOf('competition-read')],
    });
    const progress = new Progress();
    progress.close();
    const urls = urlsFrom(previousPorts);
    const stack = await WholeStack.start({ folders, progress, ports: ports.plan, urls, seed: false });
    const { addresses, secrets } = stack.infrastructure;
    try {
      const previous = await RunningServices.start({
        folders,
        addresses,
        secrets,
        ports: previousPorts.plan,
        only: rolledApps,
        urls: urlsFrom(ports),
        checkout: previousCheckout,
        namePrefix: 'previous-',
        env: settingsOfPrevious(addresses, ports.urlOf('sandbox')),
      });
      return new TwoReleases(stack, previous);
    } catch (error) {
      await stack.stop();
      throw error;
    }
  }

  /** The instances of this release; the sandbox belongs to neither. */
  get current(): readonly ServiceHandle[] {
    return this.stack.services.all.filter(({ processName }) => processName !== 'sandbox');
  }

  get gatewayUrls(): string[] {
    return [this.stack.services, this.previous].map((release) => release.publicUrl);
  }

  async stop(): Promise<void> {
    await this.previous.stop();
    await this.stack.stop();
  }
}

/** The sum of an instance's counter over the series whose labels contain a text. */
export async function counted(instance: ServiceHandle, counter: string, labels: string): Promise<number> {
  const text = await (await fetch(`${instance.healthUrl}/metrics`)).text();
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${counter}{`) && line.includes(labels))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}

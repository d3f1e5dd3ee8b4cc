import { buildApps } from './build-apps';
import { StackFailure } from './failure';
import { openFolders, removeStack, StackFolders } from './folders';
import { Infrastructure, InfrastructureOptions, StackAddresses } from './infrastructure';
import { freePorts, PortPlan } from './ports';
import { keepMetrics, keepStack } from './keep-stack';
import { keepTables } from './keep-tables';
import { createTopics, migrate } from './prepare';
import { Progress } from './progress';
import { RunningServices, ServicesOptions } from './running-services';
import { SeedResult, seedCompetition, seedDemo } from './seed';

/** Options of the whole stack's start. */
export interface WholeStackOptions
  extends
    Pick<ServicesOptions, 'only' | 'instances' | 'env' | 'urls' | 'settings' | 'begin'>,
    Pick<InfrastructureOptions, 'kafkaClientListeners' | 'postgresSettings'> {
  readonly folders: StackFolders;
  readonly ports: PortPlan;
  readonly progress: Progress;
  /** 3 for tests that kill brokers; 1 by default. */
  readonly kafkaBrokers?: 1 | 3;
  /** Creates the demo's integration, keys, users, task and competition world; true by default. */
  readonly seed?: boolean;
  /** Maps the servers' addresses to those that services use, for instance of proxies. */
  readonly serviceAddresses?: (servers: StackAddresses) => Promise<StackAddresses>;
  /** Called when a part ends unexpectedly. */
  readonly onCrash?: (failure: StackFailure) => void;
  /** Variables that replace started servers by running ones; this process's environment by default. */
  readonly environment?: NodeJS.ProcessEnv;
}

/** The whole of Podium on this machine: infrastructure, services, and the seeded demo. */
export class WholeStack {
  private constructor(
    readonly infrastructure: Infrastructure,
    readonly services: RunningServices,
    readonly seed: SeedResult,
  ) {}

  /** Starts everything in order; when a step fails, the running parts are stopped before the failure is thrown. */
  static async start(options: WholeStackOptions): Promise<WholeStack> {
    const { folders, progress } = options;
    const build = progress.step('Build', () => buildApps(folders), describeBuilds);
    const [infrastructure, built] = await Promise.allSettled([Infrastructure.start(options), build]);
    if (infrastructure.status === 'rejected') throw infrastructure.reason;
    let services: RunningServices | undefined;
    try {
      if (built.status === 'rejected') throw built.reason;
      await allEnded(migrate(infrastructure.value, progress), createTopics(infrastructure.value, progress));
      const { secrets } = infrastructure.value;
      const addresses =
        (await options.serviceAddresses?.(infrastructure.value.addresses)) ?? infrastructure.value.addresses;
      services = await progress.step('Services', () => RunningServices.start({ ...options, addresses, secrets }));
      const running = services;
      const seed = options.seed === false ? {} : await seedAll(infrastructure.value, running, progress);
      return new WholeStack(infrastructure.value, services, seed);
    } catch (error) {
      await services?.stop();
      await infrastructure.value.stop();
      throw error;
    }
  }

  /** All addresses and keys, in the shape of `.stack/stack.json`. */
  describe(): Record<string, unknown> {
    const gateway = this.services.publicUrl;
    const services = this.services.all.map(({ processName, name, url, healthUrl, pid }) => [
      name.endsWith('-1') ? processName : name,
      { url, health_url: healthUrl, pid },
    ]);
    return {
      gateway_url: gateway,
      sandbox_url: this.services.of('sandbox')[0]?.url,
      connect_url: `${gateway}/connect`,
      ...this.infrastructure.addresses,
      ...this.seed,
      services: Object.fromEntries(services),
    };
  }

  /** Stops the services in reverse order, then the servers; returns the names of those that had to be killed. */
  async stop(): Promise<string[]> {
    return [...(await this.services.stop()), ...(await this.infrastructure.stop())];
  }
}

/** A whole stack for one test, on free ports and with data of its own; `dispose()` stops it and removes the data. */
export async function startStackForTest(
  name: string,
  options: Partial<WholeStackOptions> = {},
): Promise<WholeStack & { dispose(): Promise<void> }> {
  const folders = openFolders(`${name}-${Date.now().toString(36)}`);
  const progress = new Progress();
  progress.close();
  const stack = await WholeStack.start({ folders, ports: freePorts, progress, ...options });
  const dispose = async (): Promise<void> => {
    await keepMetrics(stack.services.all);
    await keepTables(stack.infrastructure.addresses.database_url);
    // Nobody uses it: no service has to outlast the ones that call it.
    await stack.services.stopAtOnce();
    await stack.infrastructure.stop();
    keepStack(folders);
    removeStack(folders);
  };
  return Object.assign(stack, { dispose });
}

/** Waits for all of them, also when one fails, whose failure is thrown then: none goes on while its server is stopped. */
async function allEnded(...steps: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(steps)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

async function seedAll(
  infrastructure: Infrastructure,
  services: RunningServices,
  progress: Progress,
): Promise<SeedResult> {
  const competition = progress.step('Competition world', () => seedCompetition(infrastructure));
  // A failure is thrown where it is awaited.
  competition.catch(() => undefined);
  const seed = await progress.step('Demo', () => seedDemo(infrastructure, services));
  await competition;
  return seed;
}

function describeBuilds(built: string[]): string {
  return built.length === 0 ? 'all apps are up to date' : built.join(', ');
}

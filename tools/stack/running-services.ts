import * as path from 'node:path';
import { StackFailure } from './failure';
import { checkoutFolder, StackFolders } from './folders';
import { StackAddresses } from './infrastructure';
import { freePort, PortPlan } from './ports';
import { StackSecrets } from './secrets';
import { recordEnvironment } from './run-record';
import { ServerProcess } from './server-process';
import { serviceEnvironment, ServiceUrls } from './service-env';
import { ProcessName, ServiceRow, services } from './services';
import { GivenSetting } from './settings/given-settings';
import { withSettings } from './settings/with-settings';

/** Options of the services' start. */
export interface ServicesOptions {
  readonly folders: StackFolders;
  readonly addresses: StackAddresses;
  readonly secrets: StackSecrets;
  /** Gives the first instance of each app its ports; further instances take free ones. */
  readonly ports: PortPlan;
  /** The processes to start; all by default. */
  readonly only?: readonly ProcessName[];
  /** How many instances of a process; 1 by default. */
  readonly instances?: Partial<Record<ProcessName, number>>;
  /** Settings of the user, for the services that declare them; only `npm start` passes any. */
  readonly settings?: readonly GivenSetting[];
  /** Variables to add or replace: those of an app for all its processes, then those of a process. */
  readonly env?: Partial<Record<ProcessName, Readonly<Record<string, string>>>>;
  /** Addresses at which services reach an app, if not its instances' own: a proxy, or another start. */
  readonly urls?: ServiceUrls;
  /** Folder of the built programs; this checkout by default. */
  readonly checkout?: string;
  /** Prefix of the instances' names, which distinguishes them from another start on the same servers. */
  readonly namePrefix?: string;
  /** Runs the first start of an instance; one attempt by default. */
  readonly begin?: (instance: ServiceHandle) => Promise<void>;
  /** Called when a service ends unexpectedly after it was ready. */
  readonly onCrash?: (failure: StackFailure) => void;
}

/** Where an instance listens; defaults are 127.0.0.1 and free ports. */
export interface InstancePlace {
  readonly host?: string;
  readonly port?: number;
}

/** One instance of a service as a process. */
export class ServiceHandle {
  constructor(
    readonly processName: ProcessName,
    /** Its `SERVICE_INSTANCE`, for instance `gateway-1`. */
    readonly name: string,
    readonly url: string,
    readonly healthUrl: string,
    private readonly process: ServerProcess,
  ) {}

  /** The process id; undefined when it does not run. */
  get pid(): number | undefined {
    return this.process.pid;
  }

  get logPath(): string {
    return this.process.logPath;
  }

  /** Starts the process and waits until it is ready. */
  async start(): Promise<void> {
    this.process.spawn();
    await this.process.waitUntil(() => isReady(this.healthUrl), 60_000);
  }

  /** Sends a signal, SIGKILL by default, and waits for the process's end; returns its exit code, null after a signal. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
    this.process.signal(signal);
    return this.process.ended();
  }

  /** Requests an orderly stop; returns false when the process had to be killed after 20 s. */
  async stop(): Promise<boolean> {
    return this.process.stop(20_000);
  }

  /** Stops the process and starts it again on the same ports. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }
}

/** The services of one stack. */
export class RunningServices {
  private constructor(
    private readonly options: ServicesOptions,
    private readonly urls: ServiceUrls,
    private readonly handles: ServiceHandle[],
  ) {}

  /** Starts the built services and waits until all are ready; when one fails, all are stopped. */
  static async start(options: ServicesOptions): Promise<RunningServices> {
    const rows = services.filter(({ name }) => isStarted(options, name));
    const placed: { row: ServiceRow; number: number; port: number; healthPort: number }[] = [];
    for (const row of rows)
      for (let number = 1; number <= (options.instances?.[row.name] ?? 1); number++) {
        const plan: PortPlan = number === 1 ? options.ports : freePort;
        placed.push({ row, number, port: await plan(row.port), healthPort: await plan(row.healthPort) });
      }
    const urls: Partial<Record<ProcessName, string[]>> = {};
    for (const { row, port } of placed) (urls[row.name] ??= []).push(urlOf(port));
    // An app that is not started still has an address, which does not respond.
    for (const { name } of services) urls[name] ??= [urlOf(await freePort())];
    const running = new RunningServices(options, { ...urls, ...options.urls }, []);
    const handles = placed.map(({ row, number, ...ports }) => running.handleOf(row, number, ports));
    running.handles.push(...handles);
    try {
      await Promise.all(handles.map((handle) => options.begin?.(handle) ?? handle.start()));
    } catch (error) {
      await running.stop();
      throw error;
    }
    return running;
  }

  /** All instances, in the order of the start. */
  get all(): readonly ServiceHandle[] {
    return this.handles;
  }

  /** The gateway's address, which serves all public endpoints. */
  get publicUrl(): string {
    return this.first('gateway').url;
  }

  /** The instances of a process. */
  of(name: ProcessName): readonly ServiceHandle[] {
    return this.handles.filter((handle) => handle.processName === name);
  }

  /** The first instance of a process. */
  first(name: ProcessName): ServiceHandle {
    const handle = this.of(name)[0];
    if (!handle) throw new Error(`${name} does not run`);
    return handle;
  }

  /** Starts one more instance of an app; running services do not get its address. */
  async add(app: ProcessName, { host, port }: InstancePlace = {}): Promise<ServiceHandle> {
    const row = services.find(({ name }) => name === app);
    if (!row) throw new Error(`there is no app ${app}`);
    const number = this.of(app).length + 1;
    const place = { host, port: port ?? (await freePort()), healthPort: await freePort() };
    const handle = this.handleOf(row, number, place);
    await handle.start();
    this.handles.push(handle);
    return handle;
  }

  /** Stops all in reverse order, apps one after the other; returns the names of those that had to be killed. */
  async stop(): Promise<string[]> {
    const killed: string[] = [];
    for (const app of [...new Set(this.handles.map((handle) => handle.processName))].reverse())
      killed.push(...(await stopAll(this.of(app))));
    return killed;
  }

  /** Stops all at the same time; returns the names of those that had to be killed. */
  async stopAtOnce(): Promise<string[]> {
    return stopAll(this.handles);
  }

  private handleOf(
    row: ServiceRow,
    number: number,
    { host = loopback, ...ports }: { host?: string; port: number; healthPort: number },
  ): ServiceHandle {
    const { folders, addresses, secrets, onCrash, checkout, namePrefix = '' } = this.options;
    const name = `${namePrefix}${row.name}-${number}`;
    const own = serviceEnvironment(
      row,
      { name, host, ...ports },
      {
        addresses,
        secrets,
        urls: this.urls,
        // Without a projector of its own, competition-read applies changes as well.
        competitionReadParts: isStarted(this.options, 'competition-read-projector') ? 'reads' : 'reads-and-changes',
        dataFolder: path.join(folders.data, row.name),
      },
    );
    const env = withSettings(row.app, own, this.options.settings ?? []);
    const process = new ServerProcess(
      {
        name,
        command: globalThis.process.execPath,
        args: ['--enable-source-maps', ...row.nodeFlags, row.entry],
        cwd: checkout ?? checkoutFolder,
        env: {
          ...inheritedEnvironment(),
          ...recordEnvironment(),
          ...env,
          ...this.options.env?.[row.app],
          ...this.options.env?.[row.name],
        },
        logPath: path.join(folders.logs, `${name}.log`),
      },
      onCrash,
    );
    return new ServiceHandle(row.name, name, urlOf(ports.port, host), urlOf(ports.healthPort, host), process);
  }
}

/** Stops these at the same time; returns the names of those that had to be killed. */
async function stopAll(handles: readonly ServiceHandle[]): Promise<string[]> {
  const inTime = await Promise.all(handles.map((handle) => handle.stop()));
  return handles.filter((_handle, at) => !inTime[at]).map(({ name }) => name);
}

function isStarted({ only }: ServicesOptions, name: ProcessName): boolean {
  return only?.includes(name) ?? true;
}

const loopback = '127.0.0.1';

function urlOf(port: number, host = loopback): string {
  return `http://${host}:${port}`;
}

/** Only what a program needs to run: a variable of the user's shell reaches a service only by `settings`. */
function inheritedEnvironment(): NodeJS.ProcessEnv {
  const names = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS'];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

async function isReady(healthUrl: string): Promise<boolean> {
  try {
    const response = await fetch(`${healthUrl}/health/ready`, { signal: AbortSignal.timeout(1000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

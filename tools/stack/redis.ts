import * as fs from 'node:fs';
import * as net from 'node:net';
import * as path from 'node:path';
import { StackFailure } from './failure';
import { StackFolders } from './folders';
import { findRedisServer } from './redis-program';
import { ServerProcess } from './server-process';

/** A real Redis or Valkey server on loopback. */
export class Redis {
  readonly url: string;
  private readonly process: ServerProcess;

  private constructor(
    readonly port: number,
    folders: StackFolders,
    server: { command: string; env: NodeJS.ProcessEnv },
    onCrash?: (failure: StackFailure) => void,
  ) {
    this.url = `redis://127.0.0.1:${port}/0`;
    const data = path.join(folders.data, 'redis');
    fs.mkdirSync(data, { recursive: true });
    this.process = new ServerProcess(
      {
        name: 'Redis',
        // A file-size limit is then an error for Redis, as with a full disk, and not a fatal signal.
        command: 'sh',
        args: [
          '-c',
          'trap "" XFSZ; exec "$0" "$@"',
          server.command,
          '--port',
          `${port}`,
          '--bind',
          '127.0.0.1',
          '--dir',
          data,
          '--appendonly',
          'yes',
          '--save',
          '',
        ],
        env: server.env,
        logPath: path.join(folders.logs, 'redis.log'),
      },
      onCrash,
    );
  }

  /** Finds or fetches the server program; `start()` then starts it. */
  static async open(folders: StackFolders, port: number, onCrash?: (failure: StackFailure) => void): Promise<Redis> {
    return new Redis(port, folders, await findRedisServer(folders), onCrash);
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  /** From now on the end of this process is not reported as a crash, until it is started again. */
  expectEnd(): void {
    this.process.expectEnd();
  }

  /** Starts the server and waits until it has read its data. */
  async start(): Promise<void> {
    this.process.spawn();
    await this.process.waitUntil(() => answersPing(this.port), 30_000);
  }

  /** Stops the server; it writes its append-only file first. */
  async stop(signal?: NodeJS.Signals): Promise<boolean> {
    return this.process.stop(10_000, signal);
  }

  /** Kills the server with SIGKILL: what it has not yet written, at most a second, is lost. */
  async kill(): Promise<void> {
    await this.process.kill();
  }

  /** Starts the server again on the same port and data. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }
}

function answersPing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ host: '127.0.0.1', port, timeout: 1000 });
    const answer = (ready: boolean): void => {
      socket.destroy();
      resolve(ready);
    };
    socket.once('connect', () => socket.write('PING\r\n'));
    socket.once('data', (data) => answer(data.toString().startsWith('+PONG')));
    socket.once('error', () => answer(false));
    socket.once('timeout', () => answer(false));
  });
}

import { ChildProcess, fork } from 'node:child_process';
import { Socket, connect } from 'node:net';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const connectingMs = 300;
const fillersMax = 20;

/** An address at which connecting neither succeeds nor fails: a server with a full queue, in a process of its own. */
export class BlackHole {
  private constructor(
    private readonly process: ChildProcess,
    private readonly fillers: readonly Socket[],
    readonly port: number,
  ) {}

  /** Fills the queue until a connection hangs; throws where the system's queue cannot be filled. */
  static async open(): Promise<BlackHole> {
    const child = fork(path.join(__dirname, 'full-server.ts'), { execArgv: ['-r', '@swc-node/register'] });
    const { port } = await new Promise<{ port: number }>((resolve, reject) => {
      child.once('message', (report) => resolve(report as { port: number }));
      child.once('error', reject);
    });
    await sleep(500);
    const fillers: Socket[] = [];
    for (let opened = true; opened; opened = !fillers[fillers.length - 1].connecting) {
      if (fillers.length > fillersMax)
        throw new Error('the queue of a server that does not accept cannot be filled here');
      const socket = connect({ host: '127.0.0.1', port });
      socket.on('error', () => undefined);
      fillers.push(socket);
      await sleep(connectingMs);
    }
    return new BlackHole(child, fillers, port);
  }

  close(): void {
    for (const socket of this.fillers) socket.destroy();
    this.process.kill('SIGKILL');
  }
}

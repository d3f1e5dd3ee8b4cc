import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { processTree } from '../process-tree';
import { restartUntilReady } from '../restart-until-ready';
import { FaultContext } from '../fault-context';
import { FaultKind } from './fault-kind';

const run = promisify(execFile);

/** A server of the stack that writes to disk. */
interface DiskUser {
  readonly name: string;
  readonly server: { readonly pid: number | undefined; expectEnd(): void };
  /** Starts the server again after it has ended. */
  readonly restart: () => Promise<void>;
}

/** Full disks, simulated by the soft limit of the file size, which the kernel enforces. */
export function diskKinds(): FaultKind[] {
  return [
    diskOf('Redis', 'Redis', ({ servers: { redis } }) => ({
      name: 'Redis',
      server: redis,
      restart: () => restartUntilReady(redis),
    })),
    diskOf('Postgres', 'Postgres', ({ servers: { postgres } }) => ({
      name: 'Postgres',
      server: postgres,
      restart: () => postgres.restart(),
    })),
    diskOf('Kafka', 'one broker', ({ servers: { kafka } }, pick) => {
      const broker = pick(kafka.brokers);
      return { name: `broker ${broker.id}`, server: broker, restart: () => restartUntilReady(broker) };
    }),
  ];
}

function diskOf(
  target: 'Redis' | 'Postgres' | 'Kafka',
  what: string,
  find: (context: FaultContext, pick: <T>(items: readonly T[]) => T) => DiskUser,
): FaultKind {
  return {
    name: `${target.toLowerCase()}-disk-full`,
    target,
    breaks: `for 5 to 10 s ${what} cannot write to files; if it ends because of that, it is restarted once the disk has space`,
    impossible: () => (process.platform === 'linux' ? undefined : 'prlimit exists on Linux only'),
    begin: async (context, random) => {
      const { name, server, restart } = find(context, (items) => random.pick(items));
      const { pid } = server;
      if (pid === undefined) throw new Error(`${name} is not running`);
      server.expectEnd();
      await limitFiles(pid, '1');
      const end = async (): Promise<void> => {
        if (server.pid === pid) await limitFiles(pid, 'unlimited');
        // A server that is about to end because of the error gets time to do so.
        await sleep(1_000);
        if (server.pid === undefined) await restart();
      };
      return { hit: name, lastsMs: random.between(5_000, 10_000), end };
    },
  };
}

/** Sets the soft limit, in bytes, of a process and its descendants; skips processes that have ended. */
async function limitFiles(pid: number, limit: string): Promise<void> {
  for (const each of await processTree(pid)) {
    // prlimit must run as the owner of the process: root in most containers lacks the capability.
    const owner = statSync(`/proc/${each}`, { throwIfNoEntry: false });
    if (!owner) continue;
    const { uid, gid } = owner;
    await run('prlimit', ['--pid', `${each}`, `--fsize=${limit}:`], { uid, gid, cwd: '/' }).catch((error: Error) => {
      if (!/No such process/.test(error.message)) throw error;
    });
  }
}

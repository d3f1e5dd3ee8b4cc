import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { processTree } from '../process-tree';
import { startAgain } from '../start-again';
import { FaultContext } from '../fault-context';
import { FaultKind } from './fault-kind';

const run = promisify(execFile);

/** A server of the stack as far as a full disk is concerned. */
interface DiskUser {
  readonly name: string;
  readonly server: { readonly pid: number | undefined; expectEnd(): void };
  /** Starts it again when it has ended. */
  readonly restart: () => Promise<void>;
}

/** Disks on which nothing can be written any more: the soft limit of a file's size, which the kernel refuses to exceed. */
export function diskKinds(): FaultKind[] {
  return [
    diskOf('Redis', 'Redis', ({ servers: { redis } }) => ({
      name: 'Redis',
      server: redis,
      restart: () => startAgain(redis),
    })),
    diskOf('Postgres', 'Postgres', ({ servers: { postgres } }) => ({
      name: 'Postgres',
      server: postgres,
      restart: () => postgres.restart(),
    })),
    diskOf('Kafka', 'one broker', ({ servers: { kafka } }, pick) => {
      const broker = pick(kafka.brokers);
      return { name: `broker ${broker.id}`, server: broker, restart: () => startAgain(broker) };
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
    breaks: `for 5 to 10 s ${what} can write no file; when it ends for that, it is started again once there is room`,
    impossible: () => (process.platform === 'linux' ? undefined : 'prlimit is a program of Linux'),
    begin: async (context, random) => {
      const { name, server, restart } = find(context, (items) => random.pick(items));
      const { pid } = server;
      if (pid === undefined) throw new Error(`${name} does not run`);
      server.expectEnd();
      await limitFiles(pid, '1');
      const end = async (): Promise<void> => {
        if (server.pid === pid) await limitFiles(pid, 'unlimited');
        // One that is about to end for what it has met is given the time to.
        await sleep(1_000);
        if (server.pid === undefined) await restart();
      };
      return { hit: name, lastsMs: random.between(5_000, 10_000), end };
    },
  };
}

/** Sets the soft limit, in bytes, of a process and all below it; what has ended meanwhile is left out. */
async function limitFiles(pid: number, limit: string): Promise<void> {
  for (const each of await processTree(pid)) {
    // Only its own user may, unless one has more rights than root has in most containers.
    const owner = statSync(`/proc/${each}`, { throwIfNoEntry: false });
    if (!owner) continue;
    const { uid, gid } = owner;
    await run('prlimit', ['--pid', `${each}`, `--fsize=${limit}:`], { uid, gid, cwd: '/' }).catch((error: Error) => {
      if (!/No such process/.test(error.message)) throw error;
    });
  }
}

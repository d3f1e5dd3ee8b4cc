import { Pool } from '@podium/runtime/postgres';
import { readCpu } from '../../support/process-cpu';

/** What a piece of work took: its duration, and the CPU time of this process and of the sessions of a pool. */
export interface UsedTime {
  readonly wallS: number;
  readonly nodeCpuS: number;
  readonly postgresCpuS: number;
}

export const noTime: UsedTime = { wallS: 0, nodeCpuS: 0, postgresCpuS: 0 };

/** Measures a piece of work. Workers of autovacuum, the checkpointer and the like are no sessions of the pool. */
export async function usedTimeOf<T>(pool: Pool, work: () => Promise<T>): Promise<{ result: T; used: UsedTime }> {
  const sessionsBefore = await readSessions(pool);
  const nodeBefore = process.cpuUsage();
  const startedAt = performance.now();
  const result = await work();
  const wallS = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(nodeBefore);
  const sessionsAfter = await readSessions(pool);
  let postgresCpuS = 0;
  for (const [pid, cpuS] of Object.entries(sessionsAfter)) postgresCpuS += cpuS - (sessionsBefore[pid] ?? 0);
  return { result, used: { wallS, nodeCpuS: (user + system) / 1e6, postgresCpuS } };
}

export function sumOf(a: UsedTime, b: UsedTime): UsedTime {
  return {
    wallS: a.wallS + b.wallS,
    nodeCpuS: a.nodeCpuS + b.nodeCpuS,
    postgresCpuS: a.postgresCpuS + b.postgresCpuS,
  };
}

async function readSessions(pool: Pool): Promise<Readonly<Record<string, number>>> {
  const { rows } = await pool.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'`,
  );
  return readCpu(Object.fromEntries(rows.map(({ pid }) => [`${pid}`, pid])));
}

import * as fs from 'node:fs';
import { ServiceHandle } from '../../tools/stack/running-services';
import { WholeStack } from '../../tools/stack/whole-stack';
import { MemoryLevel, MemoryWatch } from './memory';

/** The samples of one service process over a run. */
interface Watched {
  readonly service: ServiceHandle;
  readonly pid: number | undefined;
  readonly memory: MemoryWatch;
  /** One level for each round. */
  readonly levels: MemoryLevel[];
  readonly descriptorsBefore: number;
}

/** Allowed memory growth from the first to the last round: `more` MiB or this share, whichever is larger. */
const growth = {
  // A leak of 1 KiB per request exceeds this after 50,000 requests.
  heapMiB: { more: 48, share: 0.5 },
  // The allocator decides how much memory it returns to the system.
  residentMiB: { more: 128, share: 0.5 },
} as const;
/** Allowed growth of open descriptors: pools open connections to servers during a run. */
const moreDescriptors = 150;

/** Checks that the service processes do not restart and do not leak memory or descriptors. */
export class Processes {
  private readonly watched: readonly Watched[];

  constructor(stack: WholeStack) {
    this.watched = stack.services.all.map((service) => ({
      service,
      pid: service.pid,
      memory: new MemoryWatch(service),
      levels: [],
      descriptorsBefore: descriptorsOf(service.pid),
    }));
  }

  stop(): void {
    for (const { memory } of this.watched) memory.stop();
  }

  /** Begins the measured period of a round. It discards samples from held connections. */
  async beginLevel(): Promise<void> {
    await Promise.all(this.watched.map(({ memory }) => memory.level()));
  }

  /** Ends the measured period of a round. */
  async endLevel(): Promise<void> {
    await Promise.all(this.watched.map(async ({ memory, levels }) => levels.push(await memory.level())));
  }

  /** The problems of all processes, one line each. */
  findings(): string[] {
    return this.watched.flatMap(({ service, pid, levels, descriptorsBefore }) => {
      const { name } = service;
      if (pid === undefined || service.pid !== pid || !isAlive(pid)) return [`${name} has restarted or ended`];
      const found = growthOf(name, levels, 'heapMiB');
      // Only there the kernel tells resident memory and open files.
      if (process.platform !== 'linux') return found;
      found.push(...growthOf(name, levels, 'residentMiB'));
      const descriptors = descriptorsOf(pid);
      if (!(descriptors <= descriptorsBefore + moreDescriptors))
        found.push(`${name} has ${descriptors} descriptors open, ${descriptorsBefore} before`);
      return found;
    });
  }

  /** Process × memory in the first and the last round, in MiB. */
  table(): string {
    const header = ['heap first', 'heap last', 'resident first', 'resident last', 'resident peak'];
    const rows = this.watched.map(({ service, levels, memory }) => {
      const [first, last] = [levels.at(0), levels.at(-1)];
      const cells = [first?.heapMiB, last?.heapMiB, first?.residentMiB, last?.residentMiB, memory.peakMiB];
      return service.name.padEnd(20) + cells.map((cell, at) => String(cell).padStart(header[at].length + 2)).join('');
    });
    return [`${'process (MiB)'.padEnd(20)}  ${header.join('  ')}`, ...rows].join('\n');
  }
}

/** Reports memory growth of a service from the first to the last round, or that it is unknown; empty for a single round. */
export function growthOf(name: string, levels: readonly MemoryLevel[], what: keyof MemoryLevel): string[] {
  const [first, last] = [levels.at(0)?.[what] ?? NaN, levels.at(-1)?.[what] ?? NaN];
  const { more, share } = growth[what];
  if (levels.length < 2 || last - first <= Math.max(more, share * first)) return [];
  return [`${name} has grown from ${first} to ${last} MiB (${what === 'heapMiB' ? 'heap' : 'resident'})`];
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Open files and connections; NaN where the kernel has no /proc. */
function descriptorsOf(pid: number | undefined): number {
  const folder = `/proc/${pid}/fd`;
  return pid !== undefined && fs.existsSync(folder) ? fs.readdirSync(folder).length : NaN;
}

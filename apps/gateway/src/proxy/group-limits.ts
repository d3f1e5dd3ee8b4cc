import { CallerGroup } from '../routes/route-table';
import { PoolLimits } from './upstream-pool';

/** Limits of the requests of one group of callers to one service; sizes in bytes. */
export interface GroupLimits extends PoolLimits {
  /** Most requests of one client in progress or waiting for a connection. */
  readonly maxPerClient: number;
  /** Total of all bodies that are being read or forwarded. */
  readonly maxBodyBytes: number;
  /** The same of one client: callers are not authenticated yet, and few of them must not take the memory of all. */
  readonly maxBodyBytesPerClient: number;
}

const mib = 1024 * 1024;

/** The gateway's limits. Each group has its own, so that none uses up those of another. */
export const groupLimits: Readonly<Record<CallerGroup, GroupLimits>> = {
  users: {
    connections: 64,
    maxUnderWay: 1_000,
    maxPerClient: 64,
    maxBodyBytes: 32 * mib,
    maxBodyBytesPerClient: 4 * mib,
  },
  // Each may wait for a partner's server. Linkage limits those waits, and other callbacks have connections left.
  callbacks: {
    connections: 512,
    maxUnderWay: 1_000,
    maxPerClient: 32,
    maxBodyBytes: 8 * mib,
    maxBodyBytesPerClient: mib,
  },
  operators: {
    connections: 32,
    maxUnderWay: 200,
    maxPerClient: 32,
    maxBodyBytes: 64 * mib,
    maxBodyBytesPerClient: 8 * mib,
  },
};

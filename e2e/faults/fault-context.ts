import { BlackHole } from '@podium/testing';
import { WholeStack } from '../../tools/stack/whole-stack';
import { SkewedClocks } from './clocks/skewed-clocks';
import { Crashes } from './service-crashes';
import { FaultServers } from './fault-servers';
import { ForeignWriters } from './foreign-writers';

/** The proxies between services and servers; the run itself connects directly. */
export interface FaultNetwork {
  readonly postgres: BlackHole;
  readonly redis: BlackHole;
  /** One proxy for each broker, in the order of their ids. */
  readonly kafka: readonly BlackHole[];
}

/** The targets of faults and the tools that inject them. */
export interface FaultContext {
  readonly stack: WholeStack;
  readonly network: FaultNetwork;
  readonly clocks: SkewedClocks;
  /** Crashes of services. A fault that ends a server announces it with the server's `expectEnd`. */
  readonly crashes: Crashes;
  readonly foreignWriters: ForeignWriters;
  /**
   * The current servers. A failover replaces `postgres` by the promoted one and redirects `network.postgres` to it: from
   * then on faults, probe and comparison use it.
   */
  readonly servers: FaultServers;
  /** When the stack had started, Unix ms; no timestamp of the run is older. */
  readonly startedMs: number;
}

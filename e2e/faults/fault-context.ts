import { BlackHole } from '@podium/testing';
import { WholeStack } from '../../tools/stack/whole-stack';
import { SkewedClocks } from './clocks/skewed-clocks';
import { Crashes } from './crashes';
import { FaultServers } from './fault-servers';
import { ForeignWriters } from './foreign-writers';

/** The ways by which services reach the servers; this run goes to the servers themselves. */
export interface FaultNetwork {
  readonly postgres: BlackHole;
  readonly redis: BlackHole;
  /** Of each broker, in the order of their ids. */
  readonly kafka: readonly BlackHole[];
}

/** All that faults hit, and what they hit it with. */
export interface FaultContext {
  readonly stack: WholeStack;
  readonly network: FaultNetwork;
  readonly clocks: SkewedClocks;
  /** Of services; a server that a fault may end is told with its `expectEnd`. */
  readonly crashes: Crashes;
  readonly foreignWriters: ForeignWriters;
  /**
   * The servers of now. A failover puts the promoted one in the place of `postgres` and leads `network.postgres` to it: from
   * then on faults, probe and comparison go there.
   */
  readonly servers: FaultServers;
  /** When the stack was there; what tells time by clocks has nothing older, Unix ms. */
  readonly startedMs: number;
}

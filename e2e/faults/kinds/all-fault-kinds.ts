import { StackFailure } from '../../../tools/stack/failure';
import { clockKinds } from './clock-kinds';
import { descriptorKinds } from './descriptor-kinds';
import { diskKinds } from './disk-kinds';
import { failoverKinds } from './failover-kinds';
import { FaultKind } from './fault-kind';
import { foreignWriterKinds } from './foreign-writer-kinds';
import { membershipKinds } from './membership-kinds';
import { networkKinds } from './network-kinds';
import { pauseKinds } from './pause-kinds';
import { postgresKinds } from './postgres-kinds';
import { redisKinds } from './redis-kinds';
import { restartKinds } from './restart-kinds';

/**
 * Every kind of fault, by family: servers and services killed, flushed or restarted; failovers of Postgres; paused servers;
 * slow or cut networks; full disks; servers that refuse; no file descriptors; wrong clocks; members that join and leave; Kafka
 * clients that are not Podium's.
 */
export const allKinds: readonly FaultKind[] = [
  ...restartKinds(),
  ...failoverKinds(),
  ...pauseKinds(),
  ...networkKinds(),
  ...diskKinds(),
  ...postgresKinds(),
  ...redisKinds(),
  ...descriptorKinds(),
  ...clockKinds(),
  ...membershipKinds(),
  ...foreignWriterKinds(),
];

/** The kinds with these comma-separated names. Throws a StackFailure for an unknown name. */
export function kindsNamed(names: string): readonly FaultKind[] {
  return names.split(',').map((name) => {
    const found = allKinds.find((kind) => kind.name === name.trim());
    if (found) return found;
    throw new StackFailure(`There is no fault ${name.trim()}: npm run faults -- --list shows all.`);
  });
}

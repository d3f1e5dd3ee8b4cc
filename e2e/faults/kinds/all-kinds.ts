import { StackFailure } from '../../../tools/stack/failure';
import { clockKinds } from './clock-kinds';
import { diskKinds } from './disk-kinds';
import { failoverKinds } from './failover-kinds';
import { FaultKind } from './fault-kind';
import { foreignWriterKinds } from './foreign-writer-kinds';
import { networkKinds } from './network-kinds';
import { pauseKinds } from './pause-kinds';
import { restartKinds } from './restart-kinds';

/** Every kind of fault, family by family. */
export const allKinds: readonly FaultKind[] = [
  ...restartKinds(),
  ...failoverKinds(),
  ...pauseKinds(),
  ...networkKinds(),
  ...diskKinds(),
  ...clockKinds(),
  ...foreignWriterKinds(),
];

/** The kinds with these names, comma-separated. Throws a StackFailure for a name that is none. */
export function kindsNamed(names: string): readonly FaultKind[] {
  return names.split(',').map((name) => {
    const found = allKinds.find((kind) => kind.name === name.trim());
    if (found) return found;
    throw new StackFailure(`There is no kind of fault ${name.trim()}: npm run faults -- --list names all.`);
  });
}

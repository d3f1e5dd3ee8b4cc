import { MigrationInterface } from 'typeorm';
import { tablesOf } from '../table-sets/table-set';
import { CreateProjection1795300000000 } from './1795300000000-create-projection';
import { CreateBoards1795300000001 } from './1795300000001-create-boards';
import { CreateNames1795300000002 } from './1795300000002-create-names';
import { CreateReadLatencies1795300000003 } from './1795300000003-create-read-latencies';

/** The schema of this service. */
export { schema } from '../table-sets/table-set';

/** Its migrations, oldest first. */
export const migrations: (new () => MigrationInterface)[] = [
  CreateProjection1795300000000,
  CreateBoards1795300000001,
  CreateNames1795300000002,
  CreateReadLatencies1795300000003,
];

/** Tables of both sets, which a rebuild empties and vacuums: its role needs more than writing for them. */
export const truncatedTables: readonly string[] = (['a', 'b'] as const).flatMap((set) => {
  const { set: _, ...names } = tablesOf(set);
  return Object.values(names);
});

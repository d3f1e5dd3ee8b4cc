import { Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { Logger } from '../log';
import { DataSourceParts, dataSourceOptions } from './data-source';
import { Pool, PoolOptions, createPool, queryable } from './pool';
import { Queryable } from './queryable';
import { AppliedSchema, requireMigrations } from './require-migrations';

/** The parts of a service that a database needs; `lifecycle` closes it in phase `close`. */
export interface DatabaseParts {
  readonly logger: Logger;
  readonly registry: Registry;
  readonly lifecycle: CloseOnStop;
}

/** The part of a service's lifecycle that databases use; importing all of it would make a cycle between folders. */
export interface CloseOnStop {
  onStop(phase: 'close', name: string, stop: () => Promise<void>): void;
}

/** Opens a pool and checks that the schema has the migrations of this release. Rejects when one is missing. */
export async function openDatabase(
  options: PoolOptions & AppliedSchema,
  parts: DatabaseParts,
): Promise<{ pool: Pool; db: Queryable }> {
  const pool = openPool(options, parts);
  const db = queryable(pool);
  await requireMigrations(db, options, parts.logger);
  return { pool, db };
}

/** Opens a pool that the service closes at its end. */
export function openPool(options: PoolOptions, { logger, registry, lifecycle }: DatabaseParts): Pool {
  const pool = createPool(options, logger, registry);
  lifecycle.onStop('close', options.name === undefined ? 'postgres' : `postgres pool ${options.name}`, () =>
    pool.end(),
  );
  return pool;
}

/** Opens the data source of a service's entities, which the service closes at its end. */
export async function openEntities(
  options: Omit<DataSourceParts, 'migrations'>,
  { lifecycle }: Pick<DatabaseParts, 'lifecycle'>,
): Promise<DataSource> {
  const dataSource = new DataSource(dataSourceOptions({ ...options, migrations: [] }));
  await dataSource.initialize();
  lifecycle.onStop('close', 'entities', () => dataSource.destroy());
  return dataSource;
}

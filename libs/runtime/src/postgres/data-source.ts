import { DataSourceOptions, EntityTarget, MigrationInterface, ObjectLiteral } from 'typeorm';
import { presentUrl } from './address';
import { SessionOptions, sessionOptions } from './session-options';

/** The purpose of a data source; statements of migrations have no time limit. */
export interface DataSourceParts extends SessionOptions {
  schema: string;
  entities: EntityTarget<ObjectLiteral>[];
  migrations: (new () => MigrationInterface)[];
  poolSize?: number;
}

/** TypeORM options for a service's own schema: entities that operators manage, and its migrations. */
export function dataSourceOptions(options: DataSourceParts): DataSourceOptions {
  return {
    type: 'postgres',
    url: presentUrl(options.url),
    schema: options.schema,
    entities: options.entities as Extract<DataSourceOptions, { type: 'postgres' }>['entities'],
    migrations: options.migrations,
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    synchronize: false,
    migrationsRun: false,
    extra: { ...sessionOptions(options), max: options.poolSize ?? 4 },
  };
}

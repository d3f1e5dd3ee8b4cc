import { DataSourceOptions, EntityTarget, MigrationInterface, ObjectLiteral } from 'typeorm';
import { Live } from '../config';
import { lookUpEachTime, presentUrl } from './address';

/** TypeORM options for a service's own schema: entities that operators manage, and its migrations. */
export function dataSourceOptions(options: {
  /** A live one is taken anew at each connection. */
  url: string | Live<string>;
  schema: string;
  entities: EntityTarget<ObjectLiteral>[];
  migrations: (new () => MigrationInterface)[];
  poolSize?: number;
}): DataSourceOptions {
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
    extra: { ...lookUpEachTime(options.url), max: options.poolSize ?? 4, connectionTimeoutMillis: 3000 },
  };
}

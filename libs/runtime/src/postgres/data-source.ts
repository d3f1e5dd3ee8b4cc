import { DataSourceOptions, EntityTarget, MigrationInterface, ObjectLiteral } from 'typeorm';

/** TypeORM options for a service's own schema: entities that operators manage, and its migrations. */
export function dataSourceOptions(options: {
  url: string;
  schema: string;
  entities: EntityTarget<ObjectLiteral>[];
  migrations: (new () => MigrationInterface)[];
  poolSize?: number;
}): DataSourceOptions {
  return {
    type: 'postgres',
    url: options.url,
    schema: options.schema,
    entities: options.entities as Extract<DataSourceOptions, { type: 'postgres' }>['entities'],
    migrations: options.migrations,
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    synchronize: false,
    migrationsRun: false,
    extra: { max: options.poolSize ?? 4, connectionTimeoutMillis: 3000 },
  };
}

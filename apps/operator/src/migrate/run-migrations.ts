import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, MigrationExecutor, MigrationInterface } from 'typeorm';
import { errorMessage } from '@podium/runtime/errors';
import { dataSourceOptions, migrationSession } from '@podium/runtime/postgres';

/** A service's schema and its migrations, oldest first. */
export interface SchemaMigrations {
  readonly url: string;
  readonly schema: string;
  readonly migrations: (new () => MigrationInterface)[];
}

/** How often and how long a migration that could not lock its tables is tried again. */
export interface LockRetries {
  readonly pauseMs?: number;
  readonly giveUpAfterMs?: number;
  /** Called before each further attempt, with the server's message. */
  readonly onRetry: (cause: string) => void;
}

/** SQLSTATE of a lock that was not granted in time. */
const lockNotAvailable = '55P03';

/** Long enough for what has queued behind an attempt to be served. */
const defaultPauseMs = 5000;
/** Then the caller fails; the Job of a release begins again. */
const defaultGiveUpAfterMs = 10 * 60_000;

/**
 * Applies what the schema lacks; returns the names. A lock that another session holds is waited for briefly and often: whoever
 * uses the table queues behind the wait. What an attempt has applied stays; the rest of it is rolled back.
 */
export async function runMigrations(
  { url, schema, migrations }: SchemaMigrations,
  { pauseMs = defaultPauseMs, giveUpAfterMs = defaultGiveUpAfterMs, onRetry }: LockRetries,
): Promise<string[]> {
  const source = new DataSource(
    dataSourceOptions({
      ...{ url, schema, entities: [], migrations, poolSize: 1, statementTimeoutMs: 0 },
      // A statement ends within a second of its client: it must not continue while the next process migrates.
      settings: { ...migrationSession, client_connection_check_interval: '1s' },
    }),
  );
  await source.initialize();
  const endMs = performance.now() + giveUpAfterMs;
  try {
    const pending = await new MigrationExecutor(source).getPendingMigrations();
    for (;;) {
      try {
        await source.runMigrations();
        return pending.map(({ name }) => name);
      } catch (error) {
        if (!isLockTimeout(error) || performance.now() > endMs) throw error;
        onRetry(errorMessage(error));
        await sleep(pauseMs);
      }
    }
  } finally {
    await source.destroy();
  }
}

function isLockTimeout(error: unknown): boolean {
  return (error as { code?: unknown }).code === lockNotAvailable;
}

import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, MigrationExecutor, MigrationInterface, QueryRunner } from 'typeorm';
import { errorMessage } from '@podium/runtime/errors';
import { dataSourceOptions, migrationSession } from '@podium/runtime/postgres';
import { setLockTimeout } from './lock-timeout.store';

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
 * uses the table queues behind the wait, except behind that of an index which is built beside the writers. What an attempt has
 * applied stays; the rest of it is rolled back.
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
        await runPending(source, giveUpAfterMs);
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

async function runPending(source: DataSource, indexLockMs: number): Promise<void> {
  const runner = withPatientIndexes(source.createQueryRunner(), indexLockMs);
  try {
    const executor = new MigrationExecutor(source, runner);
    executor.transaction = 'each';
    await executor.executePendingMigrations();
  } finally {
    await runner.release();
  }
}

/**
 * A statement that builds an index beside the writers waits for every transaction that has written to the table or still reads a
 * snapshot of before. Nobody queues behind that wait, and an index that is given up is built again from its beginning.
 */
function withPatientIndexes(runner: QueryRunner, lockMs: number): QueryRunner {
  const send = runner.query.bind(runner) as (statement: string, ...rest: unknown[]) => Promise<unknown>;
  runner.query = (async (statement: string, ...rest: unknown[]) => {
    if (!/\bINDEX CONCURRENTLY\b/.test(statement)) return send(statement, ...rest);
    await setLockTimeout(send, `${lockMs}ms`);
    const sent = send(statement, ...rest);
    // On a broken connection the statement's own error is the one to report.
    await sent.then(
      () => setLockTimeout(send, migrationSession.lock_timeout),
      () => setLockTimeout(send, migrationSession.lock_timeout).catch(() => undefined),
    );
    return sent;
  }) as QueryRunner['query'];
  return runner;
}

function isLockTimeout(error: unknown): boolean {
  return (error as { code?: unknown }).code === lockNotAvailable;
}

import * as fs from 'node:fs';
import * as path from 'node:path';
import { until } from '../../tools/seed/api';
import { Infrastructure } from '../../tools/stack/infrastructure';
import { Postgres } from '../../tools/stack/postgres';
import { copyOnline, giveAll } from '../../tools/stack/online-copy';
import { withClient } from '../../tools/stack/with-client';

/**
 * A stack's Postgres with WAL archiving and point-in-time recovery, as a backup operator provides them. It uses SQL and file
 * copies, because the embedded server comes without client programs.
 */
export class ArchivedPostgres {
  private readonly archive: string;
  private readonly backup: string;
  private readonly owner: fs.Stats;

  private constructor(
    private readonly postgres: Postgres,
    private readonly data: string,
  ) {
    this.archive = `${data}-archive`;
    this.backup = `${data}-backup`;
    this.owner = fs.statSync(path.join(data, 'PG_VERSION'));
  }

  /** Enables archiving, which restarts the server. */
  static async of({ postgres, folders }: Infrastructure): Promise<ArchivedPostgres> {
    if (!postgres) throw new Error('this test restores Postgres and needs a dedicated server: unset DATABASE_URL');
    const own = new ArchivedPostgres(postgres, folders.postgresData);
    own.makeFolder(own.archive);
    await own.query('ALTER SYSTEM SET archive_mode = on');
    await own.query(
      `ALTER SYSTEM SET archive_command = 'test ! -f "${own.archive}/%f" && cp "%p" "${own.archive}/%f"'`,
    );
    await postgres.restart();
    return own;
  }

  /** Takes a base backup while the server runs. */
  async takeBaseBackup(): Promise<void> {
    await withClient(this.postgres.url, (client) => copyOnline(client, this.data, this.backup));
  }

  /** The server's clock, as a recovery target. */
  async now(): Promise<string> {
    const [{ now }] = await this.query<{ now: string }>('SELECT clock_timestamp()::text AS now');
    return now;
  }

  /** Waits until the WAL written so far is archived. */
  async archiveAll(): Promise<void> {
    const [{ file }] = await this.query<{ file: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS file');
    await until(`${file} being archived`, 60_000, async () =>
      fs.existsSync(path.join(this.archive, file)) ? true : undefined,
    );
  }

  /** Destroys the server with its data, and restores another one from base backup and archive up to a time. */
  async restoreTo(targetTime: string): Promise<void> {
    await this.postgres.kill();
    fs.rmSync(this.data, { recursive: true });
    fs.renameSync(this.backup, this.data);
    const settings = {
      archive_mode: 'off',
      restore_command: `cp "${this.archive}/%f" "%p"`,
      recovery_target_time: targetTime,
      recovery_target_action: 'promote',
    };
    fs.appendFileSync(
      path.join(this.data, 'postgresql.auto.conf'),
      Object.entries(settings)
        .map(([name, value]) => `${name} = '${value}'\n`)
        .join(''),
    );
    fs.writeFileSync(path.join(this.data, 'recovery.signal'), '');
    giveAll(this.data, this.owner);
    // Orphans of the killed server briefly hold its port and shared memory.
    await this.postgres.restart();
    await until('the end of the recovery', 60_000, async () => {
      const [{ recovering }] = await this.query<{ recovering: boolean }>('SELECT pg_is_in_recovery() AS recovering');
      return recovering ? undefined : true;
    });
  }

  async query<T extends object>(text: string): Promise<T[]> {
    return withClient(this.postgres.url, async (client) => (await client.query<T>(text)).rows);
  }

  /** Removes backup and archive, which lie outside of the stack's data. */
  remove(): void {
    for (const folder of [this.archive, this.backup]) fs.rmSync(folder, { recursive: true, force: true });
  }

  private makeFolder(folder: string): void {
    fs.mkdirSync(folder, { mode: 0o700 });
    giveAll(folder, this.owner);
  }
}

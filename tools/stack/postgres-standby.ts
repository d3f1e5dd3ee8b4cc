import * as fs from 'node:fs';
import * as path from 'node:path';
import { until } from '../seed/api';
import { freePort } from './ports';
import { Postgres } from './postgres';
import { copyOnline, giveAll } from './online-copy';
import { withClient } from './with-client';

const standbyName = 'podium_standby';

/** A streaming standby of a stack's Postgres, which can replace the primary. */
export class PostgresStandby {
  private constructor(
    private readonly primary: Postgres,
    private readonly standby: Postgres,
  ) {}

  /** Creates a standby from an online copy, and waits until it has replayed the primary's log. */
  static async of(primary: Postgres): Promise<PostgresStandby> {
    const data = `${primary.data}-standby`;
    fs.rmSync(data, { recursive: true, force: true });
    await withClient(primary.url, async (client) => {
      await client.query(
        `SELECT pg_create_physical_replication_slot($1, true)
         WHERE NOT EXISTS (SELECT FROM pg_replication_slots WHERE slot_name = $1)`,
        [standbyName],
      );
      await copyOnline(client, primary.data, data);
    });
    const { username, password } = new URL(primary.url);
    const connection = {
      ...{ host: '127.0.0.1', port: `${primary.port}`, user: username, password: decodeURIComponent(password) },
      application_name: standbyName,
    };
    const conninfo = Object.entries(connection).map(([name, value]) => `${name}=${value}`);
    fs.appendFileSync(
      path.join(data, 'postgresql.auto.conf'),
      `primary_conninfo = '${conninfo.join(' ')}'\nprimary_slot_name = '${standbyName}'\n`,
    );
    fs.writeFileSync(path.join(data, 'standby.signal'), '');
    giveAll(data, fs.statSync(path.join(primary.data, 'PG_VERSION')));
    const standby = primary.beside(data, await freePort());
    await standby.start();
    const own = new PostgresStandby(primary, standby);
    await own.caughtUp();
    return own;
  }

  /** From now on the primary acknowledges a commit only when the standby has it on disk. */
  async beSynchronous(): Promise<void> {
    await this.set(this.primary, 'synchronous_standby_names', standbyName);
    await until('the standby being synchronous', 30_000, () =>
      withClient(this.primary.url, async (client) => {
        const { rowCount } = await client.query(`SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`);
        return rowCount === 1 ? true : undefined;
      }),
    );
  }

  /** Stops the streaming: a failover then loses later commits of the primary. */
  async stopReceiving(): Promise<void> {
    await this.set(this.standby, 'primary_conninfo', '');
    await until('the end of the streaming', 30_000, () =>
      withClient(this.primary.url, async (client) => {
        const { rowCount } = await client.query('SELECT FROM pg_stat_replication');
        return rowCount === 0 ? true : undefined;
      }),
    );
  }

  /** Kills the primary if it still runs, promotes the standby, and starts it at the primary's address, on its own data. */
  async takeOver(): Promise<void> {
    await this.primary.kill();
    await withClient(this.standby.url, async (client) => {
      await client.query('SELECT pg_promote(true, 60)');
      for (const name of ['primary_conninfo', 'primary_slot_name']) await client.query(`ALTER SYSTEM RESET ${name}`);
    });
    await this.standby.stop();
    fs.rmSync(this.primary.data, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
    fs.renameSync(this.standby.data, this.primary.data);
    await this.primary.restart();
  }

  /** Releases the standby, whatever its state. */
  async dispose(): Promise<void> {
    await this.standby.stop();
    fs.rmSync(this.standby.data, { recursive: true, force: true });
  }

  private async caughtUp(): Promise<void> {
    await until('the standby having caught up', 60_000, () =>
      withClient(this.primary.url, async (client) => {
        const { rowCount } = await client.query(
          'SELECT FROM pg_stat_replication WHERE replay_lsn >= pg_current_wal_flush_lsn() - 65536',
        );
        return rowCount === 1 ? true : undefined;
      }),
    );
  }

  private async set(server: Postgres, name: string, value: string): Promise<void> {
    await withClient(server.url, async (client) => {
      await client.query(`ALTER SYSTEM SET ${name} = '${value}'`);
      await client.query('SELECT pg_reload_conf()');
    });
  }
}

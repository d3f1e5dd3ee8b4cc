import * as fs from 'node:fs';
import * as path from 'node:path';
import { Client } from 'pg';

/** Copies the data of a running server as a base backup; the copy needs the log from now on. */
export async function copyOnline(client: Client, data: string, copy: string): Promise<void> {
  await client.query(`SELECT pg_backup_start('base', fast => true)`);
  fs.mkdirSync(copy, { mode: 0o700 });
  copyData(data, copy);
  const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop()');
  fs.writeFileSync(path.join(copy, 'backup_label'), rows[0].labelfile);
}

/** Changes the owner of a folder and its content to the server's user, which differs when root runs the stack. */
export function giveAll(folder: string, owner: Pick<fs.Stats, 'uid' | 'gid'>): void {
  if (process.getuid?.() !== 0) return;
  for (const name of ['.', ...fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })])
    fs.chownSync(path.join(folder, name), owner.uid, owner.gid);
}

/** Files of a running server that do not belong to a backup (PostgreSQL, Making a Base Backup Using the Low Level API). */
const leftOut = new Set(['postmaster.pid', 'postmaster.opts']);
const emptied = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);

/** Copies a data folder that is being written to: files deleted meanwhile are skipped, and replaying the log repairs the rest. */
function copyData(from: string, to: string, depth = 0): void {
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (depth === 0 && leftOut.has(entry.name)) continue;
    if (entry.isDirectory()) {
      fs.mkdirSync(target, { mode: 0o700, recursive: true });
      if (depth === 0 && emptied.has(entry.name)) continue;
      copyData(source, target, depth + 1);
    } else if (entry.isFile()) {
      try {
        fs.copyFileSync(source, target);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
  }
}

import * as fs from 'node:fs';
import * as path from 'node:path';
import { TopicRow } from '@podium/messages';
import { checkoutFolder } from '../../tools/stack/folders';

/**
 * Creates a release in which some topics have other partition counts: copies the built programs with changed rows of the topic
 * table. Returns the folder, a checkout from which services can be started.
 */
export function releaseWithPartitions(folder: string, rows: readonly Pick<TopicRow, 'name' | 'partitions'>[]): string {
  const apps = path.join(checkoutFolder, 'dist/apps');
  for (const app of fs.readdirSync(apps)) {
    const target = path.join(folder, 'dist/apps', app);
    fs.cpSync(path.join(apps, app), target, { recursive: true });
    const program = path.join(target, 'main.js');
    const before = fs.readFileSync(program, 'utf8');
    fs.writeFileSync(program, rows.reduce(withPartitions, before));
  }
  for (const shared of ['node_modules', 'docs', 'package.json'])
    fs.symlinkSync(path.join(checkoutFolder, shared), path.join(folder, shared));
  return folder;
}

function withPartitions(program: string, { name, partitions }: Pick<TopicRow, 'name' | 'partitions'>): string {
  const row = new RegExp(`(name: '${name.replaceAll('.', '\\.')}',[^{}]*?partitions: )\\d+`);
  if (!row.test(program)) throw new Error(`the built programs have no row ${name}`);
  return program.replace(row, `$1${partitions}`);
}

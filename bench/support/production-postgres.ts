import * as fs from 'node:fs';
import * as path from 'node:path';
import { parse } from 'yaml';
import { checkoutFolder } from '../../tools/stack/folders';

/** The parameters that decide how much is read and written again. */
const names = ['shared_buffers', 'effective_cache_size', 'work_mem', 'random_page_cost', 'max_wal_size'] as const;

interface Cluster {
  readonly spec: { readonly postgresql: { readonly parameters: Readonly<Record<string, string>> } };
}

/** Settings of Postgres in production, so that a measurement does not depend on the size of the local stack's cache. */
export function productionPostgres(): Record<string, string> {
  const file = path.join(checkoutFolder, 'k8s/components/cnpg/cluster.yaml');
  const { parameters } = (parse(fs.readFileSync(file, 'utf8')) as Cluster).spec.postgresql;
  return Object.fromEntries(
    names.map((name) => {
      if (parameters[name] === undefined) throw new Error(`${file} has no ${name}`);
      return [name, parameters[name]];
    }),
  );
}

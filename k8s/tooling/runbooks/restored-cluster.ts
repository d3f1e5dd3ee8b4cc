import { parse } from 'yaml';
import { Manifest } from '../generators/yaml-file';
import { blocksOf, inlineCodeOf } from './operations-page';

/** The spec of the cluster, as far as a restore repeats it. */
interface ClusterSpec {
  readonly bootstrap: { readonly initdb: OwnedDatabase };
  readonly plugins: readonly BackupPlugin[];
}

interface OwnedDatabase {
  readonly database: string;
  readonly owner: string;
  readonly secret: { readonly name: string };
}

interface BackupPlugin {
  readonly name: string;
  readonly parameters: { readonly barmanObjectName: string; readonly serverName?: string };
}

/** What the page gives in the place of `bootstrap` and `plugins`. */
interface RestoredSpec {
  readonly bootstrap: { readonly recovery: OwnedDatabase & { readonly source: string } };
  readonly externalClusters: readonly { readonly name: string; readonly plugin: BackupPlugin }[];
}

/**
 * Where the page on restoring Postgres differs from the cluster that it restores: database, owner and secret, and the
 * backups, which are found by plugin, store and the name of the cluster that wrote them.
 */
export function restoredClusterProblems(page: string, cluster: Manifest): string[] {
  const text = blocksOf(page, 'yaml').find((each) => each.startsWith('bootstrap:'));
  if (text === undefined) return ['there is no YAML of bootstrap'];
  const restored = parse(text) as RestoredSpec;
  const { bootstrap, plugins } = cluster.spec as ClusterSpec;
  const { recovery } = restored.bootstrap;
  const source = restored.externalClusters.find(({ name }) => name === recovery.source);
  if (!source) return [`no external cluster has the name of recovery.source, ${recovery.source}`];
  const backups = plugins.find(({ name }) => name === source.plugin.name);
  if (!backups) return [`the cluster has no plugin ${source.plugin.name}`];
  const { initdb } = bootstrap;
  const { barmanObjectName, serverName = cluster.metadata.name } = backups.parameters;
  const pairs: readonly (readonly [field: string, given: unknown, expected: unknown])[] = [
    ['database', recovery.database, initdb.database],
    ['owner', recovery.owner, initdb.owner],
    ['secret', recovery.secret.name, initdb.secret.name],
    ['barmanObjectName', source.plugin.parameters.barmanObjectName, barmanObjectName],
    ['serverName', source.plugin.parameters.serverName, serverName],
  ];
  return pairs
    .filter(([, given, expected]) => given !== expected)
    .map(([field, given, expected]) => `${field} is ${String(given)}; the cluster has ${String(expected)}`);
}

/**
 * What refers to the cluster by its name and is not named in the page, which would leave it at the former cluster: objects
 * such as a Pooler or a schedule of backups, secrets of the cluster that pods mount, and its hosts.
 */
export function unnamedReferences(page: string, cluster: Manifest, objects: readonly Manifest[]): string[] {
  const named = new Set(inlineCodeOf(page));
  const { name } = cluster.metadata;
  // The name of the cluster itself, or that of a secret or Service that its operator makes.
  const reference = new RegExp(
    `(?<![\\w-])${name}(?:-(?:rw|ro|r|ca|server|replication|superuser|app))?(?![\\w-])`,
    'g',
  );
  const wanted = objects
    .filter((object) => object.kind !== 'Cluster' && object.kind !== 'PrometheusRule')
    .flatMap((object) =>
      stringsOf(object.spec).flatMap((text) =>
        [...text.matchAll(reference)].map(([found]) => (found === name ? object.metadata.name : found)),
      ),
    );
  return [...new Set(wanted)]
    .filter((each) => !named.has(each))
    .map((each) => `${each} refers to the cluster ${name}, and the page does not name it`);
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}

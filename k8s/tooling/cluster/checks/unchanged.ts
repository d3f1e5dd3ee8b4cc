import { CheckResult } from '../../checks/check-list';
import { nameOf } from '../../checks/overlays';
import { Manifest } from '../../generators/yaml-file';
import { apply } from '../apply';
import { Cluster } from '../cluster';
import { RenderedRelease } from '../releases';

/** A second apply changes nothing: no default conflicts with the manifests, and no autoscaler is overridden. */
export async function unchanged(cluster: Cluster, { file }: RenderedRelease): Promise<CheckResult> {
  const before = await storedObjects(cluster, file);
  const { problems } = await apply(cluster, file);
  const after = await storedObjects(cluster, file);
  const changed = [...after].filter(([name, object]) => before.get(name) !== object);
  return {
    detail: `${after.size} objects, none changed`,
    problems: [...problems, ...changed.map(([name]) => `${name} was changed by a second apply of the same manifests`)],
  };
}

/** The stored objects of a file by their names, as text, without fields that change with their state. */
async function storedObjects(cluster: Cluster, file: string): Promise<Map<string, string>> {
  const { code, output } = await cluster.kubectl('get', '-f', file, '-o', 'json');
  if (code !== 0) return new Map([[output.trim(), '']]);
  const { items } = JSON.parse(output) as { items: Manifest[] };
  return new Map(
    items.map((object) => {
      const metadata = { ...object.metadata, resourceVersion: undefined, managedFields: undefined };
      return [nameOf(object), JSON.stringify({ ...object, metadata, status: undefined })];
    }),
  );
}

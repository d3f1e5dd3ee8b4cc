import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { checkoutFolder } from '../../tools/stack/folders';

interface Containers {
  readonly image?: string;
  readonly containers?: readonly { readonly image: string }[];
}

interface Document {
  readonly kind?: string;
  readonly services?: Readonly<Record<string, Containers>>;
  readonly spec?: {
    readonly kafka?: { readonly version: string };
    readonly imageCatalogRef?: { readonly major: number };
    readonly template?: { readonly spec: Containers };
  };
}

const read = (file: string): string => fs.readFileSync(path.join(checkoutFolder, file), 'utf8');
const documents = (file: string): Document[] =>
  parseAllDocuments(read(file), { merge: true }).map((document) => document.toJS() as Document);

/** The tag of a server's image in a file of containers. */
function tagIn(file: string, image: string): string {
  const images = documents(file).flatMap(({ services = {}, spec }) => [
    ...Object.values(services).map((service) => service.image ?? ''),
    ...(spec?.template?.spec.containers ?? []).map((container) => container.image),
  ]);
  return images.find((each) => each.startsWith(`${image}:`))?.slice(image.length + 1) ?? 'none';
}

const compose = 'docker-compose.yml';
const local = (server: string): string => `k8s/overlays/local/servers/${server}.yaml`;
const inCluster = (file: string, kind: string) => documents(file).find((each) => each.kind === kind)?.spec;

/** What a cluster runs is what a developer's machine runs: each version is that of the manifests of its operator. */
describe('versions of servers', () => {
  it('of Kafka are the one of the cluster; npm start runs it, or a newer one', () => {
    const version = inCluster('k8s/components/strimzi/kafka.yaml', 'Kafka')?.kafka?.version ?? '';
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect([compose, local('kafka')].map((file) => tagIn(file, 'apache/kafka'))).toEqual([version, version]);
    const [, started = ''] = /<version>(\d+\.\d+\.\d+)<\/version>/.exec(read('tools/stack/kafka/pom.xml')) ?? [];
    expect(started.localeCompare(version, 'en', { numeric: true })).toBeGreaterThanOrEqual(0);
  });

  it('of Postgres have the major number of the cluster', () => {
    const major = inCluster('k8s/components/cnpg/cluster.yaml', 'Cluster')?.imageCatalogRef?.major;
    const majors = [compose, local('postgres')].map((file) => Number.parseInt(tagIn(file, 'postgres'), 10));
    expect(majors).toEqual([major, major]);
  });

  it('of Redis are those of the cluster', () => {
    const tags = ['limits', 'marks'].map((server) => tagIn(`k8s/components/redis/redis-${server}.yaml`, 'redis'));
    const [minor] = /^\d+\.\d+/.exec(tags[0]) ?? [];
    expect([...tags, tagIn(local('redis'), 'redis')]).toEqual(Array(3).fill(tags[0]));
    expect(tagIn(compose, 'redis')).toBe(minor);
  });
});

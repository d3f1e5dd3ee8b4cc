import * as fs from 'node:fs';
import * as path from 'node:path';
import { Manifest } from '../generators/yaml-file';
import { nameOf } from './overlays';
import { run, toolsFolder } from './external-tools';

/** Packages that hold the schemas of custom resources, by API group. */
const packages: Readonly<Record<string, string>> = {
  'kafka.strimzi.io': 'strimzi-kafka-operator',
  'postgresql.cnpg.io': 'cloudnative-pg',
  'keda.sh': 'keda',
  'monitoring.coreos.com': 'prometheus-operator',
  'gateway.networking.k8s.io': 'gateway-api',
  'external-secrets.io': 'external-secrets',
  'cert-manager.io': 'cert-manager',
};

/** A resource of CloudNativePG's backup plugin: the package describes only its configuration. */
const objectStore = {
  group: 'barmancloud.cnpg.io',
  module: 'cloudnative-pg/github.com/cloudnative-pg/barman-cloud/pkg/api/BarmanObjectStoreConfiguration',
  model: 'BarmanObjectStoreConfiguration',
} as const;

/** Location of the model of an object's kind. */
export interface ModelPlace {
  /** Name of the export. */
  readonly module: string;
  readonly model: string;
  /** The part of the object that the model describes. */
  part(object: Manifest): unknown;
}

/** Whether the object is of a kind that Kubernetes itself does not have. */
export function isCustom({ apiVersion }: Manifest): boolean {
  const group = groupOf(apiVersion);
  return group in packages || group === objectStore.group;
}

/** The model of an object's kind. */
export function modelOf({ apiVersion, kind }: Manifest): ModelPlace {
  const group = groupOf(apiVersion);
  if (group === objectStore.group)
    return {
      module: `@kubernetes-models/${objectStore.module}`,
      model: objectStore.model,
      part: ({ spec }) => (spec as { configuration: unknown }).configuration,
    };
  return {
    module: `@kubernetes-models/${packages[group]}/${apiVersion}/${kind}`,
    model: kind,
    part: (object) => object,
  };
}

/** Violations of the schema of each object's kind. */
export async function validateCustom(objects: readonly Manifest[]): Promise<string[]> {
  const file = path.join(toolsFolder, `custom-resources-${process.pid}.json`);
  const items = objects.map((object) => {
    const { module, model, part } = modelOf(object);
    return { module, model, value: part(object) };
  });
  fs.mkdirSync(toolsFolder, { recursive: true });
  fs.writeFileSync(file, JSON.stringify(items));
  const { code, output } = await run(process.execPath, [path.join(__dirname, 'validate-models.mjs'), file]);
  fs.rmSync(file);
  if (code !== 0) return [`the models could not be run: ${output.trim()}`];
  const problems = JSON.parse(output) as (string | null)[];
  return problems.flatMap((problem, at) => (problem === null ? [] : [`${nameOf(objects[at])}: ${problem}`]));
}

function groupOf(apiVersion: string): string {
  return apiVersion.split('/')[0];
}

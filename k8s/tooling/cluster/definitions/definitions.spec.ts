import * as fs from 'node:fs';
import * as path from 'node:path';
import { checkoutFolder } from '../../../../tools/stack/folders';
import { certificateMetrics } from '../../alerts/certificate-alerts';
import { standbyMetrics } from '../../alerts/replica-alerts';
import { storeMetrics } from '../../alerts/store-alerts';
import { Manifest } from '../../generators/yaml-file';
import { definitionsOf, readDefinition } from './definitions';
import { missingMetrics } from './module-definitions';
import { definitionModules } from './sources';

const object = (apiVersion: string, kind: string): Manifest => ({ apiVersion, kind, metadata: { name: 'x' } });
const definition = (group: string, kind: string): string =>
  `---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: ${group}\n  names:\n    kind: ${kind}\n`;

describe('definitions', () => {
  it('cover only the kinds in use', () => {
    const [pooler, ...others] = [
      definition('postgresql.cnpg.io', 'Pooler'),
      definition('postgresql.cnpg.io', 'Database'),
      definition('elsewhere.example', 'Pooler'),
      'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n',
    ].flatMap(readDefinition);
    expect(others.map(({ group, kind }) => `${group} ${kind}`)).toEqual([
      'postgresql.cnpg.io Database',
      'elsewhere.example Pooler',
    ]);
    const objects = [object('postgresql.cnpg.io/v1', 'Pooler'), object('v1', 'Service')];
    expect(definitionsOf(objects, [pooler, ...others])).toEqual([pooler]);
  });

  it('have the versions that docs/operations/deployment.md names', () => {
    const page = fs.readFileSync(path.join(checkoutFolder, 'docs/operations/deployment.md'), 'utf8');
    const pom = fs.readFileSync(path.join(__dirname, 'strimzi/pom.xml'), 'utf8');
    const [, strimzi] = /<artifactId>api<\/artifactId>\s*<version>([\d.]+)</.exec(pom) ?? [];
    const versions = [
      ...definitionModules.map(({ name, version }) => `${name} ${version.slice(1)}`),
      `Strimzi ${strimzi}`,
    ];
    expect(versions.filter((version) => !page.includes(version))).toEqual([]);
  });

  it('are of the versions that have the metrics of the alerts', () => {
    const known = definitionModules.flatMap(({ metrics = {} }) => Object.values(metrics).flat());
    const used = [...storeMetrics, ...standbyMetrics, ...certificateMetrics].filter(
      (name) => !name.startsWith('probe_'),
    );
    expect(used.filter((name) => !known.some((text) => name === text || name.endsWith(`_${text}`)))).toEqual([]);
    const module = { ...definitionModules[0], metrics: { 'a.go': ['up', 'last_backup'], 'b.yaml': ['last_time'] } };
    const files: Record<string, string> = { 'a.go': 'Name: "up", // last_backup_time', 'b.yaml': '- last_time:' };
    expect(missingMetrics(module, (file) => files[file])).toEqual(['last_backup']);
  });
});

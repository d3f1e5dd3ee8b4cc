import { stringify } from 'yaml';
import { GeneratedFile } from '../../../tools/generate/generators/generated-file';

/** An object of Kubernetes in a manifest. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

/** A committed file of several objects; `source` names the file to edit for a change. */
export function yamlFile(path: string, source: string, objects: readonly Manifest[]): GeneratedFile {
  const documents = objects.map((object) => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false }));
  return { path, content: `# Generated from ${source} by npm run generate.\n${documents.join('---\n')}` };
}

/** Labels that every generated object has. */
export const partOfPodium = { 'app.kubernetes.io/part-of': 'podium' } as const;

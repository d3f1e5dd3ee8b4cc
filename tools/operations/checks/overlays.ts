import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { StackFailure } from '../../stack/failure';
import { checkoutFolder } from '../../stack/folders';
import { Manifest } from '../generators/yaml-file';
import { kubectl, run } from './tools';

/** A deployment as kustomize renders it. */
export interface Overlay {
  readonly name: string;
  readonly objects: readonly Manifest[];
}

const folder = path.join(checkoutFolder, 'k8s/overlays');

/** Names of all overlays. */
export function overlayNames(): string[] {
  return fs.readdirSync(folder).sort();
}

/** Renders an overlay; what kustomize cannot render is a failure with its words. */
export async function render(name: string): Promise<Overlay> {
  const { code, output } = await run(kubectl(), ['kustomize', path.join(folder, name)]);
  if (code !== 0) throw new StackFailure(`kubectl kustomize k8s/overlays/${name} failed:`, output.trim());
  const objects = parseAllDocuments(output).map((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    return document.toJS() as Manifest;
  });
  return { name, objects };
}

/** An object's kind and name, for findings. */
export function nameOf({ kind, metadata }: Manifest): string {
  return `${kind} ${metadata.name}`;
}

/** Objects of a kind. */
export function ofKind<T extends Manifest = Manifest>({ objects }: Overlay, kind: string): T[] {
  return objects.filter((object): object is T => object.kind === kind);
}

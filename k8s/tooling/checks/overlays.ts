import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { StackFailure } from '../../../tools/stack/failure';
import { checkoutFolder } from '../../../tools/stack/folders';
import { Manifest } from '../generators/yaml-file';
import { kubectl, run } from './external-tools';

/** A deployment, rendered by kustomize. */
export interface Overlay {
  readonly name: string;
  readonly objects: readonly Manifest[];
}

/** The folder of all manifests. */
export const manifestsFolder = path.join(checkoutFolder, 'k8s');

/** Names of all overlays. */
export function overlayNames(): string[] {
  return fs.readdirSync(path.join(manifestsFolder, 'overlays')).sort();
}

/** Renders an overlay; when kustomize fails, the failure has its output. */
export async function render(name: string): Promise<Overlay> {
  return parseOverlay(name, await renderText(path.join(manifestsFolder, 'overlays', name)));
}

/** Kustomize's output for the folder of an overlay. */
export async function renderText(folder: string): Promise<string> {
  const { code, output } = await run(kubectl(), ['kustomize', folder]);
  if (code === 0) return output;
  throw new StackFailure(`kubectl kustomize ${path.relative(checkoutFolder, folder)} failed:`, output.trim());
}

/** The objects of a rendered overlay. */
export function parseOverlay(name: string, text: string): Overlay {
  const objects = parseAllDocuments(text).map((document) => {
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

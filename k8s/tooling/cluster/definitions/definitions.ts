import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { StackFolders } from '../../../../tools/stack/folders';
import { isCustom } from '../../checks/custom-resource-schemas';
import { toolsFolder } from '../../checks/external-tools';
import { Manifest } from '../../generators/yaml-file';
import { fetchModuleDefinitions } from './module-definitions';
import { definitionModules, strimzi } from './sources';
import { makeStrimziDefinitions } from './strimzi-definitions';

/** A CustomResourceDefinition, as the text of its manifest. */
export interface Definition {
  readonly group: string;
  readonly kind: string;
  readonly text: string;
}

/** Every definition of the cluster's parts, fetched once for each content of the table of sources. */
export async function openDefinitions(folders: StackFolders): Promise<Definition[]> {
  const home = path.join(toolsFolder, `definitions-${digest()}`);
  if (!fs.existsSync(home)) {
    const draft = `${home}.${process.pid}`;
    fs.mkdirSync(draft, { recursive: true });
    try {
      await fetchModuleDefinitions(draft, folders);
      await makeStrimziDefinitions(draft, folders);
      fs.renameSync(draft, home);
    } finally {
      fs.rmSync(draft, { recursive: true, force: true });
    }
  }
  const files = fs.readdirSync(home).sort();
  return files.flatMap((file) => readDefinition(fs.readFileSync(path.join(home, file), 'utf8')));
}

/**
 * The definition in a file, if it has one. The files are generated and megabytes long, so they are read line by line and
 * not parsed.
 */
export function readDefinition(text: string): Definition[] {
  const [, group] = /^ {2}group: (\S+)$/m.exec(text) ?? [];
  const [, kind] = /^ {4}kind: (\S+)$/m.exec(text) ?? [];
  const isDefinition = /^kind: CustomResourceDefinition$/m.test(text);
  return isDefinition && group && kind ? [{ group, kind, text }] : [];
}

/** The definitions of the objects' kinds: unused ones only slow the server down. */
export function definitionsOf(objects: readonly Manifest[], definitions: readonly Definition[]): Definition[] {
  const used = new Set(objects.filter(isCustom).map(({ apiVersion, kind }) => `${apiVersion.split('/')[0]} ${kind}`));
  return definitions.filter(({ group, kind }) => used.has(`${group} ${kind}`));
}

function digest(): string {
  return createHash('sha256')
    .update(JSON.stringify([definitionModules, strimzi]))
    .update(fs.readFileSync(path.join(__dirname, strimzi.pom)))
    .digest('hex')
    .slice(0, 12);
}

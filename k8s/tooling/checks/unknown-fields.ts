import * as fs from 'node:fs';
import * as path from 'node:path';
import ts from 'typescript';
import { Manifest } from '../generators/yaml-file';
import { modelOf } from './custom-resource-schemas';
import { nameOf } from './overlays';
import { toolsFolder } from './external-tools';

/**
 * Fields that the kinds do not have, and values of a wrong type. Kubernetes silently drops an unknown field, and the
 * schemas allow it. The types of the same packages do not: each object is compiled as a literal of its kind's type.
 */
export function findUnknownFields(objects: readonly Manifest[]): string[] {
  const file = path.join(toolsFolder, `custom-resources-${process.pid}.mts`);
  fs.mkdirSync(toolsFolder, { recursive: true });
  // One line per object, so that the line of an error names it.
  fs.writeFileSync(file, objects.map(literal).join('\n'));
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: [],
  });
  const diagnostics = ts.getPreEmitDiagnostics(program);
  fs.rmSync(file);
  return diagnostics.map((diagnostic) => {
    const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ');
    if (!diagnostic.file || diagnostic.start === undefined) return message;
    const { line } = diagnostic.file.getLineAndCharacterOfPosition(diagnostic.start);
    return `${nameOf(objects[line])}: ${message}`;
  });
}

function literal(object: Manifest, index: number): string {
  const { module, model, part } = modelOf(object);
  return `import type { I${model} as T${index} } from '${module}'; export const o${index}: T${index} = ${JSON.stringify(part(object))};`;
}

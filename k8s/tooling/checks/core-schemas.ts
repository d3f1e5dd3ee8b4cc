import * as fs from 'node:fs';
import * as path from 'node:path';
import { stringify } from 'yaml';
import { isCustom } from './custom-resource-schemas';
import { Overlay } from './overlays';
import { kubernetesValidate, run, toolsFolder } from './external-tools';

/** The lowest and the highest supported Kubernetes version. */
export const kubernetesVersions = ['1.30', '1.36'] as const;

/** Violations of the strict schemas of one Kubernetes version; a built-in kind without a schema is one too. */
export async function validateCore(overlays: readonly Overlay[], version: string): Promise<string[]> {
  const program = await kubernetesValidate();
  const files = overlays.map(({ name, objects }) => {
    const file = path.join(toolsFolder, `core-${name}.yaml`);
    const own = objects.filter((object) => !isCustom(object));
    fs.writeFileSync(file, own.map((object) => stringify(object)).join('---\n'));
    return file;
  });
  const { code, output } = await run(program, ['-k', version, '--strict', '--quiet', ...files]);
  const problems = output.split('\n').filter((line) => line.trim() !== '');
  return code === 0 || problems.length > 0 ? problems : [`kubernetes-validate ended with code ${code}`];
}

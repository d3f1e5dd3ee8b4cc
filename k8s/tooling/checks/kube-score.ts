import * as fs from 'node:fs';
import * as path from 'node:path';
import { stringify } from 'yaml';
import { kubernetesVersions } from './core-schemas';
import { Overlay, nameOf } from './overlays';
import { kubeScore, run, toolsFolder } from './external-tools';

/** Findings of kube-score's default checks, and exceptions in manifests without a reason. */
export async function score({ name, objects }: Overlay): Promise<string[]> {
  const file = path.join(toolsFolder, `score-${name}.yaml`);
  const program = await kubeScore();
  fs.writeFileSync(file, objects.map((object) => stringify(object)).join('---\n'));
  const lowest = `v${kubernetesVersions[0]}`;
  const { output } = await run(program, ['score', '--kubernetes-version', lowest, '--output-format', 'ci', file]);
  const lines = output.split('\n').filter((line) => line !== '');
  const scored = lines.filter((line) => line.startsWith('[OK]'));
  const findings = lines.filter((line) => !/^\[(OK|SKIPPED)\]/.test(line));
  if (scored.length === 0) findings.push('kube-score scored nothing');
  const unexplained = objects
    .filter(
      ({ metadata: { annotations = {} } }) =>
        annotations['kube-score/ignore'] && !annotations['podium/kube-score-reason'],
    )
    .map((object) => `${nameOf(object)} has an exception (kube-score/ignore) without podium/kube-score-reason`);
  return [...findings, ...unexplained];
}

import * as fs from 'node:fs';
import { availableParallelism } from 'node:os';
import * as path from 'node:path';
import { stringify } from 'yaml';
import {
  DistributionProgram,
  RunnableProgram,
  findOnPath,
  unpackedProgram,
} from '../../../tools/stack/distribution-package';
import { openFolders } from '../../../tools/stack/folders';
import { causeScenarioFiles, untestedAlerts } from '../alerts/scenarios/cause-scenarios';
import { RuleTestFile, promtoolTests } from '../prometheus/rule-test-file';
import { RuleGroup } from '../prometheus/rule-group';
import { sloScenarioFiles } from '../slo/slo-scenarios';
import { CheckResult } from './check-list';
import { Overlay, ofKind } from './overlays';
import { Outcome, run, toolsFolder } from './external-tools';

const program: DistributionProgram = {
  name: 'promtool',
  programs: ['bin/promtool'],
  packages: ['prometheus'],
  remedy:
    "promtool is not on the PATH and the distribution's package prometheus could not be unpacked: install Prometheus 2.42 or newer (on Debian: apt install prometheus).",
};

let found: Promise<RunnableProgram> | undefined;

/** promtool from the PATH, else from the distribution's package, which is unpacked and not installed. */
export function promtool(): Promise<RunnableProgram> {
  return (found ??= findPromtool());
}

async function findPromtool(): Promise<RunnableProgram> {
  const command = findOnPath('promtool');
  return command ? { command, env: process.env } : unpackedProgram(program, openFolders());
}

/** Checks queries, templates and names of the rules of each deployment that has rules. */
export async function checkRules(overlays: readonly Overlay[]): Promise<CheckResult> {
  const problems: string[] = [];
  let count = 0;
  for (const overlay of overlays) {
    const groups = groupsOf(overlay);
    count += groups.flatMap(({ rules }) => rules).length;
    if (groups.length > 0) problems.push(...problemsOf(await checkGroups(overlay.name, groups)));
  }
  if (count === 0) problems.push('no deployment has rules');
  return { detail: `${count} rules`, problems };
}

/** Checks queries with promtool; its output names the groups by their keys. */
export function checkGroups(name: string, groups: readonly RuleGroup[]): Promise<Outcome> {
  return runPromtool(['check', 'rules', '--lint-fatal', writeRules(name, groups)]);
}

/** Runs the scenarios over the rules of a deployment: which alerts fire, and which must not. */
export async function testRules(overlays: readonly Overlay[]): Promise<CheckResult> {
  const overlay = overlays.find((each) => groupsOf(each).length > 0);
  if (!overlay) return { detail: '', problems: ['no deployment has rules'] };
  const files = [...causeScenarioFiles(), ...sloScenarioFiles()];
  const problems = untestedAlerts();
  const waiting = files.values();
  const lane = async (): Promise<void> => {
    for (const file of waiting) problems.push(...(await testFile(overlay, file)));
  };
  // promtool evaluates one test after the other.
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
  return { detail: `${files.flatMap(({ tests }) => tests).length} scenarios`, problems };
}

async function testFile(overlay: Overlay, file: RuleTestFile): Promise<string[]> {
  const groups = groupsOf(overlay).filter(({ name }) => file.groups.test(name));
  const rules = writeRules(file.name, groups);
  const tests = path.join(toolsFolder, `${file.name}.test.yaml`);
  fs.writeFileSync(tests, promtoolTests(file, [path.basename(rules)]));
  return problemsOf(await runPromtool(['test', 'rules', tests]));
}

function groupsOf(overlay: Overlay): RuleGroup[] {
  return ofKind(overlay, 'PrometheusRule').flatMap(({ spec }) => (spec as { groups: RuleGroup[] }).groups);
}

function writeRules(name: string, groups: readonly RuleGroup[]): string {
  fs.mkdirSync(toolsFolder, { recursive: true });
  const file = path.join(toolsFolder, `rules-${name}.yaml`);
  fs.writeFileSync(file, stringify({ groups }));
  return file;
}

async function runPromtool(args: readonly string[]): Promise<Outcome> {
  const { command, env } = await promtool();
  return run(command, args, { env });
}

function problemsOf({ code, output }: Outcome): string[] {
  if (code === 0) return [];
  const lines = output
    .split('\n')
    .filter((line) => line.trim() !== '' && !/SUCCESS|^Checking|^Unit Testing/.test(line));
  return lines.length > 0 ? lines : [`promtool ended with code ${code}`];
}

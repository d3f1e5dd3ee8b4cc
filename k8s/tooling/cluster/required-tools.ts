import { execFileSync } from 'node:child_process';
import { findOnPath } from '../../../tools/stack/distribution-package';
import { StackFailure } from '../../../tools/stack/failure';

/** What must be on the PATH, and how it comes there. */
const tools: Readonly<Record<string, string>> = {
  go: 'install Go, {go} or newer (https://go.dev/dl), which builds the control plane',
  kubectl: 'install it from your distribution or from kubernetes.io (1.30 or newer)',
  java: 'install a JDK of version 17 or newer (on Debian: apt install openjdk-17-jre-headless)',
  mvn: 'install Maven (on Debian: apt install maven), which brings the definitions of Strimzi',
};

/** Fails with one sentence for each tool that is missing or too old; `goVersion` is the oldest Go that serves. */
export function requireTools(goVersion: string): void {
  const missing = Object.entries(tools)
    .filter(([name]) => !findOnPath(name))
    .map(([name, fix]) => `${name} was not found on the PATH: ${fix.replace('{go}', goVersion)}.`);
  if (missing.length > 0) throw new StackFailure(missing.join('\n'));
  // Outside of a module, so that no go.mod above asks for another toolchain.
  const own = execFileSync('go', ['env', 'GOVERSION'], { cwd: '/', encoding: 'utf8' }).trim();
  if (!isAtLeast(own, goVersion))
    throw new StackFailure(`${own} is too old: install Go ${goVersion} or newer (https://go.dev/dl).`);
}

/** Whether a version of Go as it names itself, `go1.26.8`, is a version, `1.26.4`, or a newer one. */
export function isAtLeast(own: string, wanted: string): boolean {
  const [ownNumbers, numbers] = [numbersOf(own), numbersOf(wanted)];
  const at = ownNumbers.findIndex((number, index) => number !== numbers[index]);
  return at === -1 || ownNumbers[at] > numbers[at];
}

function numbersOf(version: string): number[] {
  const [, ...numbers] = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(version) ?? ['', '0', '0'];
  return [0, 1, 2].map((at) => Number(numbers[at] ?? 0));
}

import { execFileSync } from 'node:child_process';
import { findOnPath } from '../../../tools/stack/distribution-package';
import { StackFailure } from '../../../tools/stack/failure';

/** Programs that must be on the PATH, and how to install them. */
const tools: Readonly<Record<string, string>> = {
  go: 'install Go, {go} or newer (https://go.dev/dl), which builds the control plane',
  kubectl: 'install it from your distribution or from kubernetes.io (1.30 or newer)',
  java: 'install a JDK of version 17 or newer (on Debian: apt install openjdk-17-jre-headless)',
  mvn: 'install Maven (on Debian: apt install maven), which downloads the definitions of Strimzi',
};

/** Fails with one sentence for each tool that is missing or too old; `goVersion` is the oldest supported Go. */
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

/** Whether Go's own version text, such as `go1.26.8`, is at least a version such as `1.26.4`. */
export function isAtLeast(own: string, wanted: string): boolean {
  const [ownNumbers, numbers] = [numbersOf(own), numbersOf(wanted)];
  const at = ownNumbers.findIndex((number, index) => number !== numbers[index]);
  return at === -1 || ownNumbers[at] > numbers[at];
}

function numbersOf(version: string): number[] {
  const [, ...numbers] = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(version) ?? ['', '0', '0'];
  return [0, 1, 2].map((at) => Number(numbers[at] ?? 0));
}

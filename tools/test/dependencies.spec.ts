import * as fs from 'node:fs';
import * as path from 'node:path';
import { checkoutFolder } from '../stack/folders';

interface Manifest {
  readonly bin?: string | Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

const folders = [
  'apps',
  'k8s/tooling',
  'libs',
  'tools',
  'e2e',
  'bench',
  'docs/examples',
  'docs/site',
  'sdk/typescript',
];
/** Folders whose code runs in a service's container; the sandbox runs in none. */
const runtimeFolders = ['apps', 'libs/messages', 'libs/partner-check', 'libs/runtime'];
/** Optional peers of @nestjs/cli that the builder in nest-cli.json (rspack) needs. */
const builderPeers = ['@rspack/core', 'tsconfig-paths-webpack-plugin', 'webpack-node-externals'];
const development = /(\.spec\.ts$|^apps\/[^/]+\/test\/|^apps\/sandbox\/)/;

const { scripts = {}, ...ours } = manifestOf('.');
const dependencies = Object.keys(ours.dependencies ?? {});
const devDependencies = Object.keys(ours.devDependencies ?? {});
const files = [...folders.flatMap(filesBelow), ...topFiles()];
/** Quoted package names, alone or with a path inside of the package: imported, required or passed to a tool; by file. */
const named = new Map(files.map((file) => [file, namesIn(read(file), /['"`]((?:@[\w.-]+\/)?[\w.-]+)(?=['"`/])/g)]));
/** Last parts of quoted paths: programs that tools start. */
const started = new Set(files.flatMap((file) => [...namesIn(read(file), /['"`/]([\w.-]+)(?=['"`])/g)]));

describe('every package in package.json', () => {
  it.each([...dependencies, ...devDependencies])('%s is used', (name) => {
    const uses = [isNamedIn(name, files), isTypesOfUsed(name), isUsedProgram(name), isPeer(name)];
    expect(uses).toContain(true);
  });
});

describe('every dependency of services', () => {
  const runtime = files.filter(
    (file) => runtimeFolders.some((folder) => file.startsWith(`${folder}/`)) && !development.test(file),
  );
  // A dependency rule (no-dev-dependency-in-apps) checks that they need no others.
  it.each(dependencies)('%s is used by a service', (name) => {
    expect([isNamedIn(name, runtime), isPeer(name, dependencies)]).toContain(true);
  });
});

function isNamedIn(name: string, among: readonly string[]): boolean {
  // Packages of this scope are named by the group of a resource.
  const wanted = name.startsWith('@kubernetes-models/') ? '@kubernetes-models/$' : name;
  return among.some((file) => named.get(file)?.has(wanted));
}

function isTypesOfUsed(name: string): boolean {
  const typed = /^@types\/(.+)$/.exec(name)?.[1];
  return typed !== undefined && ['node', ...dependencies, ...devDependencies].includes(typed);
}

/** Whether it has a program that a script runs, or that a tool starts by its path. */
function isUsedProgram(name: string): boolean {
  const { bin = {} } = manifestOf(path.join('node_modules', name));
  const programs = typeof bin === 'string' ? [name.split('/').at(-1) ?? name] : Object.keys(bin);
  const runs = [...Object.values(scripts), read('Dockerfile')].join('\n').split(/[\s;"']+/);
  return programs.some((program) => runs.includes(program) || started.has(program));
}

/** Whether another direct dependency has it as a required peer; optional peers do not count. */
function isPeer(name: string, of: readonly string[] = [...dependencies, ...devDependencies]): boolean {
  if (builderPeers.includes(name)) return read('nest-cli.json').includes('"rspack"');
  return of.some((other) => {
    const { peerDependencies = {}, peerDependenciesMeta = {} } = manifestOf(path.join('node_modules', other));
    return name in peerDependencies && peerDependenciesMeta[name]?.optional !== true;
  });
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(read(path.join(folder, 'package.json'))) as Manifest;
}

function filesBelow(folder: string): string[] {
  return fs
    .readdirSync(path.join(checkoutFolder, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => path.join(folder, file))
    .filter((file) => /\.(ts|mts|cts|mjs|cjs|js)$/.test(file) && !/node_modules|\.vitepress\/(cache|dist)/.test(file));
}

function topFiles(): string[] {
  const files = fs.readdirSync(checkoutFolder).filter((file) => /\.(mjs|cjs|json)$/.test(file));
  return files.filter((file) => file !== 'package.json' && file !== 'package-lock.json');
}

function read(file: string): string {
  return fs.readFileSync(path.join(checkoutFolder, file), 'utf8');
}

function namesIn(text: string, pattern: RegExp): Set<string> {
  const names = new Set([...text.matchAll(pattern)].map(([, name]) => name));
  if (text.includes('`@kubernetes-models/$')) names.add('@kubernetes-models/$');
  return names;
}

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { promisify } from 'node:util';
import { sdkVersion } from '../src';
import { temporaryFolders } from './temporary-folder';

const run = promisify(execFile);
const source = path.resolve(__dirname, '..');
const folderOf = temporaryFolders();

/** Hands on what may be missing, as strict projects do. */
const strictProgram = `
import { PodiumClient, type NoticeListener, type PartnerEvent, type QueueOptions } from '@podium/partner';
interface Given { bytes?: number | undefined; attributes?: Record<string, string> | undefined; onNotice?: NoticeListener | undefined }
export async function send({ bytes, attributes, onNotice }: Given, signal?: AbortSignal): Promise<boolean> {
  const queue: QueueOptions = { folder: 'queue', maxBytes: bytes };
  const client = await PodiumClient.open({ url: 'https://events.example', apiKey: 'k', platform: 'p', queue, onNotice, timeoutMs: bytes });
  const event: PartnerEvent = { id: 'e', platformUserId: 'u', name: 'n', createdAt: new Date(), attributes };
  await client.send(event, signal);
  return client.close({ deadlineMs: bytes });
}
`;

/** Takes the package in each way, also where it needs the disk. */
const bundledProgram = `
import sdk, { PodiumClient, PodiumError, sdkVersion } from '@podium/partner';
import required from './required.cjs';
PodiumClient.open({ url: 'http://127.0.0.1:9', apiKey: 'k', platform: 'p', timeoutMs: 500, queue: { folder: 'queue' } }).then(
  async (client) => {
    const error = await client.send({ id: 'e', platformUserId: 'u', name: 'n', createdAt: 1 }).catch((thrown) => thrown);
    const isOne = required.PodiumClient === PodiumClient && sdk.PodiumClient === PodiumClient;
    console.log(sdkVersion, isOne, error instanceof PodiumError, error.name, error.code);
    await client.close({ deadlineMs: 0 });
  },
);
`;

/** It comes with the builder of the documentation site. */
const esbuild = require.resolve('esbuild/bin/esbuild', { paths: [require.resolve('vitepress')] });

describe('the archive for partners', () => {
  let folder: string;
  let installed: string;

  beforeAll(async () => {
    folder = folderOf();
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: source });
    const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) as [{ filename: string }];
    fs.writeFileSync(path.join(folder, 'package.json'), '{"private":true}');
    const install = ['install', '--offline', '--no-audit', '--no-fund', `./${filename}`];
    await run('npm', install, { cwd: folder });
    installed = path.join(folder, 'node_modules/@podium/partner');
  }, 120_000);

  it('has the built files, README, licence and manifest, and nothing else', () => {
    const files = fs
      .readdirSync(installed, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(installed, path.join(entry.parentPath, entry.name)));
    const others = files.filter((file) => !/^dist\/[\w/-]+\.(js|d\.ts)$/.test(file));
    expect(others.sort()).toEqual(['LICENSE', 'README.md', 'dist/index.mjs', 'package.json']);
    expect(files.filter((file) => file.endsWith('.js')).length).toBeGreaterThan(10);
    expect(files.filter((file) => file.includes('.spec.'))).toEqual([]);
  });

  it('comes alone: no package and no file of this repository is imported', () => {
    expect(fs.readdirSync(path.join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      '@podium',
    ]);
    const dist = path.join(installed, 'dist');
    for (const file of fs
      .readdirSync(dist, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.js')))
      for (const [, name] of fs.readFileSync(path.join(dist, file), 'utf8').matchAll(/require\("([^"]+)"\)/g)) {
        if (name.startsWith('node:')) continue;
        expect(path.resolve(dist, path.dirname(file), name).startsWith(dist)).toBe(true);
      }
  });

  it('brings the command link-check in one file, with the check and without a source of a service', async () => {
    const bundle = fs.readFileSync(path.join(installed, 'dist/podium-partner.js'), 'utf8');
    for (const name of ['@nestjs', 'typeorm', 'linkage', 'VAULT_KEYS', 'undici']) expect(bundle).not.toContain(name);
    expect(bundle).toContain('Copyright (c) 2011 TJ Holowaychuk');
    const command = path.join(folder, 'node_modules/.bin/podium-partner');
    const { stdout } = await run(command, ['link-check', '--help'], { cwd: folder });
    for (const option of ['--redirect-url', '--client-secret-file', '--html', 'at most 4 log-ins'])
      expect(stdout).toContain(option);
    await expect(run(command, ['link-check'], { cwd: folder })).rejects.toMatchObject({ code: 2 });
    // The reader of the output ends first.
    const unread = spawn(command, ['link-check', '--help'], { stdio: ['ignore', 'pipe', 'ignore'] });
    unread.stdout.destroy();
    expect(await once(unread, 'exit')).toEqual([3, null]);
  });

  it.each(['node16', 'nodenext', 'preserve'])(
    'has types for strict projects with the module kind %s, in each kind of file',
    async (module) => {
      const types = path.dirname(path.dirname(require.resolve('@types/node/package.json')));
      const compilerOptions = {
        ...{ module, strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true },
        ...{ target: 'es2022', lib: ['es2022'], types: ['node'], typeRoots: [types] },
      };
      const files = ['strict.ts', 'strict.mts', 'strict.cts'];
      fs.writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
      for (const file of files) fs.writeFileSync(path.join(folder, file), strictProgram);
      await run(process.execPath, [require.resolve('typescript/bin/tsc'), '-p', folder]).catch(
        ({ stdout }: { stdout: string }) => {
          throw new Error(stdout);
        },
      );
    },
    // The compiler takes long where other specs run as well.
    120_000,
  );

  it.each([
    ['import', 'esm.mjs', "import { PodiumClient, PodiumError, sdkVersion } from '@podium/partner';"],
    ['require', 'cjs.cjs', "const { PodiumClient, PodiumError, sdkVersion } = require('@podium/partner');"],
  ])('works with %s, in the version of its manifest', async (_, file, line) => {
    fs.writeFileSync(
      path.join(folder, file),
      `${line}\nPodiumClient.open({ url: 'http://127.0.0.1:9', apiKey: 'k', platform: 'p', timeoutMs: 500 }).then(async (client) => {
  const error = await client.send({ id: 'e', platformUserId: 'u', name: 'n', createdAt: 1 }).catch((thrown) => thrown);
  console.log(sdkVersion, error instanceof PodiumError, error.code);
  await client.close();
});\n`,
    );
    const { stdout } = await run(process.execPath, [file], { cwd: folder });
    expect(stdout.trim()).toBe(`${sdkVersion} true no_response`);
    const { version } = JSON.parse(fs.readFileSync(path.join(installed, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(version).toBe(sdkVersion);
  });

  it.each([
    ['esm', 'bundle.mjs'],
    ['cjs', 'bundle.cjs'],
  ])('works in a bundle of the format %s, with one copy for import and require', async (format, file) => {
    fs.writeFileSync(path.join(folder, 'required.cjs'), "module.exports = require('@podium/partner');\n");
    fs.writeFileSync(path.join(folder, 'bundled.mjs'), bundledProgram);
    const options = [
      '--bundle',
      '--platform=node',
      `--format=${format}`,
      '--minify',
      '--log-level=error',
      `--outfile=${file}`,
    ];
    await run(process.execPath, [esbuild, 'bundled.mjs', ...options], { cwd: folder });
    const { stdout } = await run(process.execPath, [file], { cwd: folder });
    expect(stdout.trim()).toBe(`${sdkVersion} true true NoAnswerError no_response`);
  });

  it('has the same names for bundlers as for Node', async () => {
    const { exports } = JSON.parse(fs.readFileSync(path.join(installed, 'package.json'), 'utf8')) as {
      exports: { '.': { module: string } };
    };
    const paths = ['@podium/partner', path.join(installed, exports['.'].module)];
    const program = `Promise.all(${JSON.stringify(paths)}.map((each) => import(each))).then((all) =>
  console.log(JSON.stringify(all.map((names) => [Object.keys(names), Object.keys(names.default)]))))`;
    const { stdout } = await run(process.execPath, ['-e', program], { cwd: folder });
    const [ofNode, ofBundlers] = (JSON.parse(stdout) as string[][][]).map(([names, inDefault]) =>
      [names, inDefault].map((each) => each.filter((name) => /^[a-z]+$/i.test(name)).sort()),
    );
    expect(ofBundlers).toEqual(ofNode);
    expect(ofNode[0].length).toBeGreaterThan(10);
  });
});

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { checkoutFolder, sharedFolder } from './folders';
import { runTool } from './server-process';
import { sourceDigest } from './source-digest';

const typescriptSdk = 'sdk/typescript';
const pythonSdk = 'sdk/python';
/** What the archives are made of; both SDKs' tests and what tools leave behind are not part of them. */
const sources = [
  ...['src', 'build', 'package.json', 'tsconfig.build.json', 'README.md', 'LICENSE'].map(
    (name) => `${typescriptSdk}/${name}`,
  ),
  ...['src', 'build', 'pyproject.toml', 'README.md', 'LICENSE'].map((name) => `${pythonSdk}/${name}`),
  'libs/partner-check/src',
  'package-lock.json',
];

/** Where the documentation site takes them from; its build copies them. */
const archivesFolder = 'docs/site/public/sdk';
/** Names that stay when the version changes; a wheel can have none, because its name must contain its version. */
const stableNames = [
  [/^podium-partner-[\d.]+\.tgz$/, 'podium-partner.tgz'],
  [/^podium_partner-[\d.]+\.tar\.gz$/, 'podium_partner.tar.gz'],
] as const;

/**
 * Builds the archives of both SDKs below the documentation site, with their SHA-256 sums, when their sources have changed
 * since the last time. Where python3 is not on the PATH, those for Python are left out, so that a local stack starts
 * without it.
 * @param logs Folder for the logs of the tools.
 */
export async function buildSdkArchives(logs: string): Promise<void> {
  const folder = path.join(checkoutFolder, archivesFolder);
  const stamp = path.join(folder, '.sources');
  const hasPython = !spawnSync('python3', ['--version']).error;
  const digest = `${sourceDigest(sources)}${hasPython ? '' : ' without Python'}`;
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === digest) return;
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  await Promise.all([packTypeScript(folder, logs), hasPython ? packPython(folder, logs) : undefined]);
  const names = fs.readdirSync(folder);
  for (const [versioned, stable] of stableNames) {
    const name = names.find((each) => versioned.test(each));
    if (name) fs.copyFileSync(path.join(folder, name), path.join(folder, stable));
  }
  fs.writeFileSync(path.join(folder, 'sha256sums.txt'), sumsOf(folder));
  fs.writeFileSync(stamp, digest);
}

/** In a copy, because the build writes into the package's own folder, where a spec may build at the same time. */
async function packTypeScript(folder: string, logs: string): Promise<void> {
  // The bundle takes libs from two folders up.
  fs.mkdirSync(sharedFolder, { recursive: true });
  const copy = fs.mkdtempSync(path.join(sharedFolder, 'sdk-'));
  try {
    for (const source of sources.filter((each) => each.startsWith(`${typescriptSdk}/`)))
      fs.cpSync(path.join(checkoutFolder, source), path.join(copy, path.basename(source)), { recursive: true });
    await runTool({
      name: 'npm pack of the SDK for TypeScript',
      command: 'npm',
      args: ['pack', '--pack-destination', folder],
      cwd: copy,
      logPath: path.join(logs, 'build-sdk-typescript.log'),
    });
  } finally {
    fs.rmSync(copy, { recursive: true, force: true });
  }
}

function packPython(folder: string, logs: string): Promise<void> {
  return runTool({
    name: 'build of the SDK for Python (with python3)',
    command: 'python3',
    args: ['-B', `${pythonSdk}/build/wheel_backend.py`, folder],
    cwd: checkoutFolder,
    logPath: path.join(logs, 'build-sdk-python.log'),
  });
}

/** As the program sha256sum prints and checks them. */
function sumsOf(folder: string): string {
  const line = (name: string): string => {
    const sum = createHash('sha256')
      .update(fs.readFileSync(path.join(folder, name)))
      .digest('hex');
    return `${sum}  ${name}\n`;
  };
  return fs.readdirSync(folder).sort().map(line).join('');
}

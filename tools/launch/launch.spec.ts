import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import * as os from 'node:os';
import * as path from 'node:path';

jest.setTimeout(120_000);

const checkout = path.resolve(__dirname, '../..');
const { scripts } = JSON.parse(fs.readFileSync(path.join(checkout, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

/** A command of an installed package with minimal work. */
const light = ['format:check', '--version'];

/** A command's output and exit. */
interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

describe('the commands of package.json, in a checkout without packages', () => {
  let fresh: string;
  let npmLog: string;

  beforeEach(() => {
    fresh = fs.mkdtempSync(path.join(os.tmpdir(), 'podium-fresh-'));
    npmLog = path.join(fresh, 'npm.log');
    for (const name of ['tools', 'tmp']) fs.mkdirSync(path.join(fresh, name));
    for (const name of ['package.json', 'package-lock.json', 'tsconfig.json'])
      fs.copyFileSync(path.join(checkout, name), path.join(fresh, name));
    for (const name of ['tools/launch.mjs', 'tools/launch'])
      fs.cpSync(path.join(checkout, name), path.join(fresh, name), { recursive: true });
    for (const name of ['libs', 'apps', 'tools/stack', 'tools/competition'])
      fs.symlinkSync(path.join(checkout, name), path.join(fresh, name));
    fs.mkdirSync(path.join(fresh, 'bin'));
    fs.symlinkSync(process.execPath, path.join(fresh, 'bin/node'));
  });

  afterEach(() => fs.rmSync(fresh, { recursive: true }));

  /** An npm that "installs" this checkout's packages, prints to both outputs, and records its calls. */
  function fakeNpm(takesS = 0): void {
    const script = `#!/bin/sh
echo "$*" >> ${npmLog}
echo added 800 packages
echo npm warn something >&2
sleep ${takesS}
mkdir -p node_modules && ln -sf ${checkout}/node_modules/* node_modules/
`;
    fs.writeFileSync(path.join(fresh, 'bin/npm'), script, { mode: 0o755 });
  }

  function launch(
    args: string[],
    {
      onStart,
      PATH = `${path.join(fresh, 'bin')}:/usr/bin:/bin`,
      preload,
    }: { onStart?: (pid: number) => void; PATH?: string; preload?: string } = {},
  ): Promise<Ended> {
    return new Promise((resolve, reject) => {
      const before = preload === undefined ? [] : ['--require', preload];
      const child = spawn(process.execPath, [...before, 'tools/launch.mjs', ...args], {
        cwd: fresh,
        env: { PATH, HOME: os.tmpdir(), TMPDIR: path.join(fresh, 'tmp') },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let stdout = '';
      let stderr = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      child.once('error', reject);
      child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
      if (child.pid !== undefined) onStart?.(child.pid);
    });
  }

  it('all run through the launcher under their own names', () => {
    for (const [name, script] of Object.entries(scripts)) expect(script).toBe(`exec node tools/launch.mjs ${name}`);
  });

  it.each(Object.keys(scripts))('%s prints its help at once, without npm, Java or a stack trace', async (name) => {
    expect(await launch([name, '--help'])).toEqual({
      code: 0,
      signal: null,
      stdout: expect.stringMatching(new RegExp(`^npm (run )?${name}\\b`)) as string,
      stderr: '',
    });
    expect(fs.existsSync(path.join(fresh, 'node_modules'))).toBe(false);
  });

  it.each([
    [['stack:reset', '--dry-run'], 'takes no arguments, but got --dry-run'],
    [['stack:reset', 'second'], 'takes no arguments, but got second'],
    [['start', '--port', '7600'], 'takes no arguments, but got --port'],
    [['stack', 'second'], 'takes no arguments, but got second'],
    [['generate', '--chek'], 'takes only --check, but got --chek'],
    [['check:operations', '--manifest'], 'takes only --manifests, but got --manifest'],
  ])('%j does nothing, because an argument is unknown', async (args, sentence) => {
    fakeNpm();
    fs.mkdirSync(path.join(fresh, '.stack/postgres'), { recursive: true });
    const { code, stdout, stderr } = await launch(args);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(sentence)]);
    expect(fs.existsSync(path.join(fresh, '.stack/postgres'))).toBe(true);
    expect(fs.existsSync(path.join(fresh, 'node_modules'))).toBe(false);
  });

  it('lists all commands when an unknown one is called', async () => {
    const { code, stdout } = await launch(['no-such-command']);
    expect(code).toBe(1);
    for (const name of Object.keys(scripts)) expect(stdout).toMatch(new RegExp(`^ {2}npm (run )?${name}\\b`, 'm'));
  });

  it('installs once, on standard error, and leaves output and exit code to the command', async () => {
    fakeNpm();
    const server = createServer((_request, answer) => answer.end('{"items":[],"next_cursor":null}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      const list = ['podium', 'integrations', 'list', '--json', '--token', 'x', '--url'];
      const first = await launch([...list, url]);
      expect({ ...first, stderr: '' }).toEqual({ code: 0, signal: null, stdout: '[]\n', stderr: '' });
      expect(first.stderr).toContain('Installing the npm packages');
      expect(first.stderr).toContain('added 800 packages');
      expect(await launch([...list, url])).toEqual({ code: 0, signal: null, stdout: '[]\n', stderr: '' });
      expect((await launch(['podium', 'keys', '--help'])).stdout).toContain('Usage: podium keys');
      expect((await launch(['lint', '--no-such-option'])).code).toBe(2);
    } finally {
      server.closeAllConnections();
      server.close();
    }
    expect(fs.readFileSync(npmLog, 'utf8')).toBe('ci --no-audit --no-fund --loglevel=error\n');
  });

  it('keeps compiled files with the packages, and takes none from a folder that other users can make', async () => {
    fakeNpm();
    const inTmp = () => fs.readdirSync(path.join(fresh, 'tmp')).filter((name) => name.startsWith('swc-node'));
    const withoutBrokers = ['topics'];
    expect((await launch(withoutBrokers)).code).toBe(2);
    expect(fs.readdirSync(path.join(fresh, 'node_modules/.cache/swc-node')).length).toBeGreaterThan(10);
    expect(inTmp()).toEqual([]);
    fs.rmSync(path.join(fresh, 'node_modules/.cache'), { recursive: true });
    fs.writeFileSync(path.join(fresh, 'node_modules/.cache'), 'not a folder');
    expect((await launch(withoutBrokers)).code).toBe(2);
    expect(inTmp()).toEqual([]);
  });

  it('starts programs without searching the checkout for sources', async () => {
    fakeNpm();
    const [preload, read] = ['folders-read.cjs', 'folders-read.txt'].map((name) => path.join(fresh, name));
    fs.writeFileSync(
      preload,
      `const fs = require('node:fs');
      const { readdirSync } = fs;
      fs.readdirSync = (folder, ...rest) => {
        fs.appendFileSync(${JSON.stringify(read)}, folder + '\\n');
        return readdirSync(folder, ...rest);
      };
      fs.readdirSync(${JSON.stringify(path.join(fresh, 'tools'))});`,
    );
    expect((await launch(['topics'], { preload })).code).toBe(2);
    const folders = fs.readFileSync(read, 'utf8').split('\n');
    expect(folders).toContain(path.join(fresh, 'tools'));
    expect(folders.filter((folder) => /\/(apps|libs)$/.test(folder))).toEqual([]);
  });

  it('ends by the signal that it receives', async () => {
    fakeNpm();
    const world = ['competition:generate', '--players', '100000', '--out', '/dev/null'];
    const killed = await launch(world, {
      onStart: (pid) => void whenInstalled().then(() => setTimeout(() => process.kill(pid, 'SIGTERM'), 500)),
    });
    expect(killed).toMatchObject({ code: null, signal: 'SIGTERM' });
  });

  it('reports a failed installation in one sentence', async () => {
    fs.writeFileSync(path.join(fresh, 'bin/npm'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const { code, stdout, stderr } = await launch(['lint']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('Error: npm ci failed');
    expect(stderr).not.toMatch(/^ {4}at /m);
  });

  it('installs once when two commands start at the same time', async () => {
    fakeNpm(2);
    const both = await Promise.all([launch(light), launch(light)]);
    for (const { code, stdout } of both) expect([code, stdout]).toEqual([0, expect.stringMatching(/^\d+\./)]);
    expect(fs.readFileSync(npmLog, 'utf8').split('\n')).toHaveLength(2);
  });

  it('does not take the lock from a command that took it at the same moment from one that was killed', async () => {
    fakeNpm();
    const lock = path.join(fresh, '.stack/installing.json');
    fs.mkdirSync(path.dirname(lock));
    // No process has this id: it is above the highest that systems give.
    fs.writeFileSync(lock, JSON.stringify({ pid: 2 ** 30 }));
    const other = spawn(process.execPath, ['-e', 'setTimeout(() => undefined, 600000)', 'launch.mjs']);
    // The other command is faster: it has the lock once this one has seen that its holder has ended.
    const preload = path.join(fresh, 'other-is-faster.cjs');
    const mine = JSON.stringify({ pid: other.pid });
    fs.writeFileSync(
      preload,
      `const fs = require('node:fs');
      for (const name of ['rmSync', 'renameSync']) {
        const original = fs[name];
        fs[name] = (file, ...rest) => {
          if (file === ${JSON.stringify(lock)} && !globalThis.isTaken) {
            globalThis.isTaken = true;
            fs.writeFileSync(file, ${JSON.stringify(mine)});
          }
          return original(file, ...rest);
        };
      }
      require('node:module').syncBuiltinESMExports();`,
    );
    const launched = launch(light, { preload });
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const holder = fs.existsSync(lock) ? fs.readFileSync(lock, 'utf8') : '';
    const hadInstalled = fs.existsSync(npmLog);
    other.kill('SIGKILL');
    await new Promise((resolve) => other.once('close', resolve));
    expect((await launched).code).toBe(0);
    expect([holder, hadInstalled]).toEqual([mine, false]);
    expect(fs.existsSync(npmLog)).toBe(true);
  });

  it('accepts packages that npm itself has installed', async () => {
    fakeNpm();
    fs.mkdirSync(path.join(fresh, 'node_modules'));
    for (const name of fs.readdirSync(path.join(checkout, 'node_modules')).filter((each) => !each.startsWith('.')))
      fs.symlinkSync(path.join(checkout, 'node_modules', name), path.join(fresh, 'node_modules', name));
    const { packages } = JSON.parse(fs.readFileSync(path.join(fresh, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { optional?: boolean }>;
    };
    const installed = Object.entries(packages).filter(([name, { optional }]) => name !== '' && !optional);
    const write = (there: [string, unknown][]): void =>
      fs.writeFileSync(
        path.join(fresh, 'node_modules/.package-lock.json'),
        JSON.stringify({ packages: Object.fromEntries(there) }),
      );
    write(installed.slice(1));
    await launch(light);
    expect(fs.existsSync(npmLog)).toBe(true);
    fs.rmSync(npmLog);
    fs.appendFileSync(path.join(fresh, 'package-lock.json'), '\n');
    write(installed);
    expect((await launch(light)).code).toBe(0);
    expect(fs.existsSync(npmLog)).toBe(false);
    // Packages for another Node version must be installed again.
    const stamp = path.join(fresh, 'node_modules/.podium-lock');
    fs.writeFileSync(stamp, fs.readFileSync(stamp, 'utf8').replace(/-\d+$/, '-1'));
    await launch(light);
    expect(fs.existsSync(npmLog)).toBe(true);
  });

  it('replaces no packages under a running stack', async () => {
    fakeNpm();
    await launch(light);
    fs.rmSync(npmLog);
    const stack = spawn(process.execPath, ['-e', 'setTimeout(() => undefined, 600000)', 'launch.mjs']);
    fs.mkdirSync(path.join(fresh, '.stack'), { recursive: true });
    const lock = { pid: stack.pid, command: 'npm start' };
    fs.writeFileSync(path.join(fresh, '.stack/running.json'), JSON.stringify(lock));
    fs.appendFileSync(path.join(fresh, 'package-lock.json'), '\n');
    const refused = await launch(light);
    stack.kill('SIGKILL');
    await new Promise((resolve) => stack.once('close', resolve));
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(`"npm start" (process ${stack.pid}) still runs with the packages from before`);
    expect(fs.existsSync(npmLog)).toBe(false);
    expect((await launch(light)).code).toBe(0);
    expect(fs.existsSync(npmLog)).toBe(true);
  });

  it.each(['', '{"pid":'])('takes no stack for running by a running.json with "%s"', async (content) => {
    fakeNpm();
    await launch(light);
    fs.rmSync(npmLog);
    fs.mkdirSync(path.join(fresh, '.stack'), { recursive: true });
    fs.writeFileSync(path.join(fresh, '.stack/running.json'), content);
    fs.appendFileSync(path.join(fresh, 'package-lock.json'), '\n');
    expect((await launch(light)).code).toBe(0);
    expect(fs.existsSync(npmLog)).toBe(true);
  });

  it.each([
    ['missing', undefined, 'Java was not found on the PATH, and Kafka needs it'],
    [
      'too old',
      'openjdk version "11.0.2" 2019-01-15',
      'Kafka needs a newer Java than the one on the PATH (version 11)',
    ],
    ['too old', 'java version "1.8.0_392"', 'Kafka needs a newer Java than the one on the PATH (version 8)'],
    ['unknown', 'a Java', 'Kafka needs a newer Java than the one on the PATH (version unknown)'],
  ])('refuses a Java that is %s (%s)', async (_, version, sentence) => {
    const java = `#!/bin/sh\necho '${version}' >&2\n`;
    if (version) fs.writeFileSync(path.join(fresh, 'bin/java'), java, { mode: 0o755 });
    expect(await launch(['start'], { PATH: path.join(fresh, 'bin') })).toEqual({
      ...{ code: 1, signal: null, stdout: '' },
      stderr: expect.stringContaining(
        `${sentence}: install Java 17 or newer (on Debian: apt install default-jre-headless)`,
      ) as string,
    });
  });

  async function whenInstalled(): Promise<void> {
    while (!fs.existsSync(path.join(fresh, 'node_modules/.podium-lock')))
      await new Promise((resolve) => setTimeout(resolve, 100));
  }
});

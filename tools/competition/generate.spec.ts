import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readGenerateOptions, usageExitCode } from './generate-options';
import { worldChanges } from './world/changes';

const checkout = path.resolve(__dirname, '../..');
const nowS = 1_792_540_800;

// Each run of the command compiles it.
jest.setTimeout(120_000);

describe('npm run competition:generate', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'generate-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('writes the same lines of JSON to standard output, to a file and to a compressed file', () => {
    const expected = [...worldChanges({ players: 210, matches: 105, seed: 3, nowS })].flat();
    const world = ['--players', '210', '--seed', '3', '--now', `${nowS}`];
    const { stdout, stderr, status } = run(...world);
    expect(status).toBe(0);
    expect(stderr).toContain(`${expected.length} documents`);
    expect(stdout.endsWith('\n')).toBe(true);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(expected);

    expect(run(...world, '--out', path.join(folder, 'world.ndjson')).status).toBe(0);
    expect(run(...world, '--out', path.join(folder, 'world.ndjson.gz')).status).toBe(0);
    expect(readFileSync(path.join(folder, 'world.ndjson'), 'utf8')).toBe(stdout);
    expect(gunzipSync(readFileSync(path.join(folder, 'world.ndjson.gz'))).toString('utf8')).toBe(stdout);
    expect(readdirSync(folder).sort()).toEqual(['world.ndjson', 'world.ndjson.gz']);
  });

  it('uses the start of today as its time by default', () => {
    const before = Math.floor(Date.now() / 86_400_000) * 86_400;
    const [line] = run().stdout.split('\n');
    const { occurred_at } = JSON.parse(line) as { occurred_at: number };
    expect([before, Math.floor(Date.now() / 86_400_000) * 86_400]).toContain(occurred_at / 1000);
  });

  it('reports wrong usage with exit code 2, and prints nothing to standard output', () => {
    const { stdout, stderr, status } = run('--players', '199');
    expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
    expect(stderr).toContain('from 200');
  });

  it('does not replace a device by a file', () => {
    expect(run('--out', '/dev/null').status).toBe(0);
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  it('fails with exit code 1 where it cannot write', () => {
    const { stderr, status } = run('--out', path.join(folder, 'none', 'world.ndjson'));
    expect(status).toBe(1);
    expect(stderr).toContain('ENOENT');
  });

  it('shows its help', () => {
    const { stdout, status } = run('--help');
    expect(status).toBe(0);
    for (const option of ['--players', '--matches', '--seed', '--now', '--out', '--publish', '--load'])
      expect(stdout).toContain(option);
  });
});

describe('readGenerateOptions', () => {
  const nowMs = nowS * 1000 + 45_296_789;

  beforeEach(() => jest.spyOn(process.stderr, 'write').mockReturnValue(true));
  afterEach(() => jest.restoreAllMocks());

  it('has a small world of today as its default', () => {
    expect(readGenerateOptions([], nowMs)).toEqual({
      world: { players: 200, matches: 100, seed: 1, nowS },
      destination: { to: 'lines', path: '-' },
    });
  });

  it('has half as many matches as players by default', () => {
    expect(readGenerateOptions(['--players', '3001', '--load'], nowMs)).toMatchObject({
      world: { players: 3001, matches: 1501 },
      destination: { to: 'tables' },
    });
    expect(readGenerateOptions(['--matches', '100', '--players', '3001', '--publish'], nowMs)).toMatchObject({
      world: { players: 3001, matches: 100 },
      destination: { to: 'topic' },
    });
  });

  it.each([
    [['--players', '199'], 'from 200'],
    [['--matches', '1e3'], 'from 100'],
    [['--seed', '-1'], 'from 0'],
    [['--seed', '4294967296'], 'to 4294967295'],
    [['--now', '0'], 'from 1000000000'],
    [['--out', 'x', '--load'], 'cannot be used'],
    [['--out', 'x', '--publish'], 'cannot be used'],
    [['--publish', '--load'], 'cannot be used'],
    [['--speed', '1'], 'unknown option'],
    [['extra'], 'too many arguments'],
  ])('refuses %j', (args, reason) => {
    let thrown: unknown;
    try {
      readGenerateOptions(args, nowMs);
    } catch (error) {
      thrown = error;
    }
    expect(usageExitCode(thrown)).toBe(2);
    expect(String(thrown)).toContain(reason);
  });
});

function run(...args: string[]) {
  return spawnSync(process.execPath, ['-r', '@swc-node/register', 'tools/competition/generate.ts', ...args], {
    cwd: checkout,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
}

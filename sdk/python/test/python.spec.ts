import { execFile, execFileSync } from 'node:child_process';
import * as path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const sdk = path.resolve(__dirname, '..');
const env = { ...process.env, PYTHONPATH: path.join(sdk, 'src'), PYTHONDONTWRITEBYTECODE: '1' };
const runner = ['-m', 'test.run_tests'];

interface Outcome {
  readonly id: string;
  readonly reason: string | null;
}

/** The ids of all tests by their module; undefined without Python. */
function testsByModule(): ReadonlyMap<string, string[]> | undefined {
  let listed: string;
  try {
    listed = execFileSync('python3', [...runner, '--list'], { cwd: sdk, env, encoding: 'utf8' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const modules = new Map<string, string[]>();
  for (const id of JSON.parse(listed) as string[]) {
    const module = id.split('.').slice(0, 2).join('.');
    modules.set(module, [...(modules.get(module) ?? []), id]);
  }
  return modules;
}

const modules = testsByModule();

describe('the SDK for Python', () => {
  it('has python3 for its tests', () => {
    if (!modules) throw new Error('python3 is not on this machine: install Python 3.10 or later to test sdk/python.');
    expect(modules.size).toBeGreaterThanOrEqual(8);
  });

  describe.each([...(modules ?? [])])('%s', (module, ids) => {
    let outcomes: Outcome[];

    beforeAll(async () => {
      const { stdout } = await run('python3', [...runner, module], { cwd: sdk, env, maxBuffer: 2 ** 26 });
      outcomes = stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Outcome);
    }, 180_000);

    it.each(ids)('%s', (id) => {
      const outcome = outcomes.find((each) => each.id === id);
      if (!outcome) throw new Error(`${id} did not end: ${JSON.stringify(outcomes)}`);
      if (outcome.reason !== null) throw new Error(outcome.reason);
    });
  });
});

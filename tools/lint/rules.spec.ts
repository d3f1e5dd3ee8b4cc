import { execFile } from 'node:child_process';
import * as path from 'node:path';
import { promisify } from 'node:util';

const root = path.resolve(__dirname, '../..');
const fixtures = path.join(__dirname, 'fixtures');

jest.setTimeout(60_000);

/** Runs a program of an installed package on the fixtures; returns its output and exit code. */
async function run(program: string, ...args: string[]): Promise<{ code: number; output: string }> {
  const command = [path.join(root, 'node_modules', program), ...args];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: fixtures });
    return { code: 0, output: stdout };
  } catch (error) {
    const { code, stdout } = error as { code: number; stdout: string };
    return { code, output: stdout };
  }
}

describe('the linter', () => {
  it('refuses SQL outside of stores, the environment outside of configuration, unsafe rules of nested bodies, and words that have a standard term', async () => {
    const { code, output } = await run('eslint/bin/eslint.js', '--config', '../../../eslint.config.mjs', '-f', 'json');
    const files = JSON.parse(output) as { filePath: string; messages: { ruleId: string; line: number }[] }[];
    const found = files.flatMap(({ filePath, messages }) =>
      messages.map(({ ruleId, line }) => `${path.relative(fixtures, filePath)}:${line} ${ruleId}`),
    );

    expect(code).toBe(1);
    expect(found.sort()).toEqual([
      'apps/engagement/src/private-words.ts:1 podium/plain-words',
      'apps/engagement/src/private-words.ts:1 podium/plain-words',
      'apps/engagement/src/private-words.ts:2 podium/plain-words',
      'apps/engagement/src/private-words.ts:3 podium/plain-words',
      'apps/engagement/src/private-words.ts:3 podium/plain-words',
      'apps/engagement/src/segments/segment.dto.ts:2 no-restricted-imports',
      'apps/engagement/src/segments/segments.controller.ts:2 no-restricted-syntax',
      'apps/engagement/src/segments/segments.controller.ts:3 no-restricted-syntax',
      'apps/engagement/src/segments/segments.service.ts:2 no-restricted-properties',
      'docs/private-words.md:1 podium/plain-words',
    ]);
  });
});

describe('the dependency rules', () => {
  const violationsOf = async (config: string, ...folders: string[]) => {
    const { output } = await run(
      'dependency-cruiser/bin/dependency-cruise.mjs',
      ...folders,
      ...['--config', `../../../${config}`, '--output-type', 'json'],
    );
    const { summary } = JSON.parse(output) as {
      summary: { violations: { from: string; to: string; rule: { name: string } }[] };
    };
    return summary.violations.map(({ from, to, rule }) => `${rule.name}: ${from} -> ${to}`).sort();
  };

  it('refuse an import that bypasses the public files of an app, one of an app by a library, and one of a library by the SDK', async () => {
    expect(await violationsOf('.dependency-cruiser.cjs', 'apps', 'libs', 'e2e', 'sdk')).toEqual([
      'apps-are-entered-by-their-doors: e2e/journey.ts -> apps/ingestion/src/admission/admit.ts',
      'operator-imports-apps-by-their-doors: apps/operator/src/restore.ts -> apps/ingestion/src/dedup/window.ts',
      'runtime-imports-messages-only: libs/runtime/src/stand-alone.ts -> apps/engagement/src/config.ts',
      'sdk-imports-nothing: sdk/typescript/src/client.ts -> libs/messages/src/error-rows.ts',
    ]);
  });

  it('refuse two folders of an app that depend on each other', async () => {
    const [admission, dedup] = ['apps/ingestion/src/admission', 'apps/ingestion/src/dedup'];
    expect(await violationsOf('.dependency-cruiser.folders.cjs', 'apps')).toEqual([
      `no-cycles-between-folders: ${admission} -> ${dedup}`,
      `no-cycles-between-folders: ${dedup} -> ${admission}`,
    ]);
  });
});

describe('the search for duplicates', () => {
  it('finds six duplicated lines', async () => {
    const { code, output } = await run('jscpd/bin/jscpd', 'apps', '--config', '../../../.jscpd.json', '--noTips');

    expect(code).toBe(1);
    expect(output).toMatch(/first-page\.ts[\s\S]*second-page\.ts/);
  });
});

import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { Progress } from '../stack/progress';
import { checkRecord } from './check-record';

describe('the check of what a run has recorded', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'record-'));
  const progress = new Progress();
  const said: string[] = [];

  beforeAll(() => {
    progress.close();
    jest.spyOn(console, 'error').mockImplementation((line) => void said.push(String(line)));
  });
  afterAll(() => fs.rmSync(folder, { recursive: true }));

  const record = (name: string, text: string): void => fs.writeFileSync(path.join(folder, name), text);
  const secrets = (count: number): string =>
    Array.from({ length: count }, (_, at) => JSON.stringify({ kind: 'token', value: `canary-${at}-of-these` })).join(
      '\n',
    );

  it('fails after a whole run with too little in it, and not after a run of some specs', async () => {
    expect(await checkRecord(folder, progress, false)).toEqual({ passed: 1, failed: 0 });
    expect(await checkRecord(folder, progress, true)).toEqual({ passed: 0, failed: 1 });
    record('secrets.ndjson', secrets(1_000));
    expect(await checkRecord(folder, progress, true)).toEqual({ passed: 0, failed: 1 });
    expect(said.join('\n')).toContain('has recorded 1000 secrets and 0 bytes');
    record('log.txt', 'x'.repeat(10_000_000));
    expect(await checkRecord(folder, progress, true)).toEqual({ passed: 1, failed: 0 });
  });
});

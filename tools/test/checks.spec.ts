import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { requireScripts } from './checks';

describe('the checks of npm test', () => {
  it('are refused when a script of theirs is not in package.json', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'checks-'));
    fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ scripts: { lint: 'eslint' } }));
    expect(() => requireScripts(['lint'], folder)).not.toThrow();
    expect(() => requireScripts(['lint', 'graph'], folder)).toThrow('package.json has no script graph,');
    fs.rmSync(folder, { recursive: true });
  });
});

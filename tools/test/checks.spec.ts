import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { text } from 'node:stream/consumers';
import { atLowPriority, requireScripts } from './checks';

describe('the checks of npm test', () => {
  it('are refused when a script of theirs is not in package.json', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'checks-'));
    fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ scripts: { lint: 'eslint' } }));
    expect(() => requireScripts(['lint'], folder)).not.toThrow();
    expect(() => requireScripts(['lint', 'graph'], folder)).toThrow('package.json has no script graph,');
    fs.rmSync(folder, { recursive: true });
  });

  it('run below the specs, also where a session has a share of its own', async () => {
    const session = '/proc/self/autogroup';
    const program = `console.log(os.getPriority(), fs.existsSync('${session}') && fs.readFileSync('${session}', 'utf8'))`;
    const [command, ...args] = [...atLowPriority, process.execPath, '-p', program, 'a b'];
    const child = spawn(command, args, { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
    const [, priority, ofSession] = /^(\d+) .*?(?: nice (\d+))?\n/.exec(await text(child.stdout)) ?? [];
    expect(Number(priority)).toBe(Math.min(os.getPriority() + 5, 19));
    if (fs.existsSync(session)) expect(ofSession).toBe('5');
  });
});

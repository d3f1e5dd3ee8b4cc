import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { preloading } from './preload';

describe('modules that a process loads first', () => {
  it('may lie in a folder with spaces and other characters', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'my "own" ünits '));
    const files = ['first.cjs', 'second.cjs'].map((name) => path.join(folder, name));
    try {
      for (const file of files)
        fs.writeFileSync(file, 'process.stdout.write(`${require("node:path").basename(__filename)} `);');
      const { stdout, stderr } = spawnSync(process.execPath, ['-e', ''], {
        env: { NODE_OPTIONS: preloading(...files) },
        encoding: 'utf8',
      });
      expect({ stdout, stderr }).toEqual({ stdout: 'first.cjs second.cjs ', stderr: '' });
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });
});

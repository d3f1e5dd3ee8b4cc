import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { isBuiltOf, stampBuild } from './build-stamp';

describe('the stamp of a build', () => {
  let folder: string;
  const write = (program: string): void => fs.writeFileSync(path.join(folder, 'main.js'), program);

  beforeEach(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'build-stamp-'))));
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  it('holds for its sources alone', () => {
    expect(isBuiltOf('a', folder)).toBe(false);
    write('program of a');
    expect(isBuiltOf('a', folder)).toBe(false);
    stampBuild('a', folder);
    expect(isBuiltOf('a', folder)).toBe(true);
    expect(isBuiltOf('b', folder)).toBe(false);
  });

  it('does not hold for a program that something else has built since, or begun to build', () => {
    write('program of a');
    stampBuild('a', folder);
    write('program of b');
    expect(isBuiltOf('a', folder)).toBe(false);
    fs.rmSync(path.join(folder, 'main.js'));
    expect(isBuiltOf('a', folder)).toBe(false);
  });
});

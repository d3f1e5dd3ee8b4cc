import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { outerData } from './folders';

describe('outerData', () => {
  let root: string;
  const at = (...names: string[]): string => path.join(root, ...names);
  const write = (...names: string[]): void => {
    fs.mkdirSync(path.dirname(at(...names)), { recursive: true });
    fs.writeFileSync(at(...names), '');
  };
  const dataOf = (name: string): string => outerData(name, at('outer'), at('shared'));

  beforeEach(() => (root = fs.mkdtempSync(path.join(os.tmpdir(), 'folders-'))));
  afterEach(() => fs.rmSync(root, { recursive: true }));

  it('is different for the stack without a name, the one named main, and all others', () => {
    const names = ['', 'main', 'second'];
    expect(new Set(names.map(dataOf)).size).toBe(names.length);
  });

  it.each([['main'], ['']])(
    'keeps the data of a stack named main, where no other has run (opened as "%s")',
    (opened) => {
      write('outer', 'data', 'main', 'PG_VERSION');
      write('shared', 'main', 'secrets.json');
      dataOf(opened);
      expect(fs.existsSync(path.join(dataOf('main'), 'PG_VERSION'))).toBe(true);
      expect(fs.existsSync(dataOf(''))).toBe(false);
    },
  );

  it('keeps the data of the stack without a name', () => {
    write('outer', 'data', 'main', 'PG_VERSION');
    write('shared', 'secrets.json');
    write('shared', 'main', 'secrets.json');
    dataOf('main');
    expect(fs.existsSync(path.join(dataOf(''), 'PG_VERSION'))).toBe(true);
    expect(fs.existsSync(dataOf('main'))).toBe(false);
  });
});

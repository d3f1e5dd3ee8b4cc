import * as path from 'node:path';
import { checkoutFolder } from '../stack/folders';
import slowFiles from './slow-files.json';

/** A file as jest gives it to its sequencer. */
interface ListedTest {
  readonly path: string;
}

type Sequencer = new (options: object, listed?: readonly string[]) => { sort(tests: readonly unknown[]): ListedTest[] };
const SlowestFirst = jest.requireActual<Sequencer>('./slowest-first.cjs');

/** Tests of a run without a cache, of which jest takes the largest first. */
function testsOf(...files: readonly string[]): object[] {
  const context = { config: { cache: false }, hasteFS: { getSize: (file: string) => files.indexOf(relative(file)) } };
  return files.map((file) => ({ path: path.join(checkoutFolder, file), context }));
}

function relative(file: string): string {
  return path.relative(checkoutFolder, file);
}

describe('the order of spec files', () => {
  it('begins with the listed ones, and is jest’s own for all others', () => {
    const [first, second] = slowFiles;
    const sorted = new SlowestFirst({}).sort(testsOf('small.spec.ts', second, 'large.spec.ts', first));
    expect(sorted.map((test) => relative(test.path))).toEqual([first, second, 'large.spec.ts', 'small.spec.ts']);
  });

  it('is refused when it names a file that does not exist', () => {
    expect(() => new SlowestFirst({}, ['libs/gone.spec.ts'])).toThrow('libs/gone.spec.ts, which do not exist');
  });
});

import vm from 'node:vm';
import { reusingCode } from './reuse-compiled-code';

describe('a compiler that reuses code', () => {
  const filename = '/checkout/module.js';
  let given: boolean[];
  let compile: typeof vm.compileFunction;

  beforeEach(() => {
    given = [];
    // The compiler of these specs reuses code itself, so that this one cannot look at what V8 makes of it.
    compile = reusingCode((source, params, options) => {
      given.push(options?.cachedData !== undefined);
      return vm.compileFunction(source, params, options);
    });
  });

  const results = (sources: readonly string[]): unknown[] =>
    sources.map((source) => (compile(source, ['x'], { filename }) as (x: number) => unknown)(2));

  it('gives V8 the code of a source that a file had before', () => {
    expect(results(['return x + 1', 'return x + 1', 'return x + 1'])).toEqual([3, 3, 3]);
    expect(given).toEqual([false, true, true]);
  });

  it('does not take the code of another source of the same length', () => {
    expect(results(['return x + 1', 'return x * 9', 'return x + 1'])).toEqual([3, 18, 3]);
    expect(given).toEqual([false, false, false]);
  });

  it('compiles code without a file each time', () => {
    for (const x of [1, 2]) expect((compile('return x', ['x']) as (x: number) => number)(x)).toBe(x);
    expect(given).toEqual([false, false]);
  });
});

describe('a worker of jest', () => {
  it('reuses code', () => {
    const source = `return '${'worker '.repeat(20)}'`;
    const filename = '/checkout/of-a-worker.js';
    vm.compileFunction(source, [], { filename });
    expect(vm.compileFunction(source, [], { filename }).cachedDataRejected).toBe(false);
  });
});

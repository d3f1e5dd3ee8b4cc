import vm from 'node:vm';
import { reusingCode } from './reuse-compiled-code';

describe('a compiler that reuses code', () => {
  const filename = '/checkout/module.js';
  let scripts: number;
  let compile: typeof vm.compileFunction;

  beforeEach(() => {
    scripts = 0;
    const Counted = class extends vm.Script {
      constructor(...given: ConstructorParameters<typeof vm.Script>) {
        super(...given);
        scripts++;
      }
    };
    compile = reusingCode(vm.compileFunction, Counted);
  });

  const compiledIn = (parsingContext: vm.Context, source: string): ((x: number) => unknown) =>
    compile(source, ['x'], { filename, parsingContext }) as (x: number) => unknown;
  const results = (sources: readonly string[]): unknown[] =>
    sources.map((source) => compiledIn(vm.createContext({ own: 1 }), source)(2));

  it('runs the code that a file had before with the same source', () => {
    expect(results(['return x + own', 'return x + own', 'return x + own'])).toEqual([3, 3, 3]);
    expect(scripts).toBe(1);
  });

  it('runs it in the context of each time, with values of its own', () => {
    const source = 'own.push(x); return own';
    const contexts = [vm.createContext({ own: [1] }), vm.createContext({ own: [2] })];
    expect(contexts.map((context) => compiledIn(context, source)(3))).toEqual([
      [1, 3],
      [2, 3],
    ]);
    const arrays = contexts.map((context) => compiledIn(context, 'return Array')(0));
    expect(arrays).toEqual(contexts.map((context) => vm.runInContext('Array', context) as unknown));
    expect(arrays[0]).not.toBe(arrays[1]);
  });

  it('does not take the code of another source of the same length', () => {
    expect(results(['return x + 1', 'return x * 9', 'return x + 1'])).toEqual([3, 18, 3]);
    expect(scripts).toBe(3);
  });

  it('names the lines and columns of the source in stack traces', () => {
    for (const source of ['throw new Error(x)', '\n throw new Error(x)']) {
      const stack = (run: (x: number) => unknown): string[] => {
        try {
          return [String(run(1))];
        } catch (error) {
          return (error as Error).stack!.match(/module\.js:\d+:\d+/g) ?? [];
        }
      };
      const native = vm.compileFunction(source, ['x'], { filename, parsingContext: vm.createContext({}) });
      const expected = stack(native as (x: number) => unknown);
      expect(expected).toHaveLength(1);
      expect(stack(compiledIn(vm.createContext({}), source))).toEqual(expected);
    }
  });

  it('takes a source that ends with a comment', () => {
    expect(results(['return x // the end'])).toEqual([2]);
  });

  it('leaves code without a file, and code of no context, to the compiler', () => {
    for (const x of [1, 2]) {
      expect((compile('return x', ['x']) as (x: number) => number)(x)).toBe(x);
      expect((compile('return x', ['x'], { filename }) as (x: number) => number)(x)).toBe(x);
    }
    expect(scripts).toBe(0);
  });
});

describe('a worker of jest', () => {
  it('reuses code', () => {
    const options = { filename: '/checkout/of-a-worker.js', parsingContext: vm.createContext({}) };
    // V8's own compiler puts the source on a line of its own.
    expect(String(vm.compileFunction('return 1', ['x'], options))).toBe('function (x) {return 1\n}');
  });
});

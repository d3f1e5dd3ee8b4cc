import { readOptions } from './options';

describe('readOptions of bench:linking', () => {
  afterEach(() => jest.restoreAllMocks());

  /** What a command line with an error prints before its process exits. */
  function refusal(argv: readonly string[]): string {
    let printed = '';
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => ((printed += String(text)), true));
    jest.spyOn(process, 'exit').mockImplementation((code) => {
      throw new Error(`exit ${code}`);
    });
    expect(() => readOptions(argv)).toThrow('exit 1');
    return printed;
  }

  it.each(['1', '2', '3'])('refuses %s partners, which leave fewer neighbours to compare with', (partners) => {
    expect(refusal(['--partners', partners])).toContain('--partners must be at least 4 for the part isolation');
  });

  it('takes as few partners as wanted without the part isolation, and four with it', () => {
    expect(readOptions(['--partners', '1', '--only', 'links']).partners).toBe(1);
    expect(readOptions(['--partners', '4']).partners).toBe(4);
  });
});

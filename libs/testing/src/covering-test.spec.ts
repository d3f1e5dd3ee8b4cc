import { isThere } from './covering-test';

const spec = 'libs/testing/src/covering-test.spec.ts';

describe('the test that covers a case elsewhere', () => {
  it('is there by the path of its spec and its whole name', () => {
    expect(isThere({ spec, test: 'is there by the path of its spec and its whole name' })).toBe(true);
  });

  it('is not there under a part of its name, in a file that has the name elsewhere, or in no file', () => {
    const test = 'is there by the path of its spec and its whole name';
    expect(isThere({ spec, test: 'is there by the path' })).toBe(false);
    expect(isThere({ spec, test: 'the test that covers a case elsewhere' })).toBe(false);
    expect(isThere({ spec: 'libs/testing/src/covering-test.ts', test })).toBe(false);
    expect(isThere({ spec: 'libs/testing/src/no.spec.ts', test })).toBe(false);
  });
});

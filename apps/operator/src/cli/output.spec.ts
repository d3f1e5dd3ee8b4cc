import { details, table } from './output';

describe('a table', () => {
  it('has any number of rows', () => {
    const rows = Array.from({ length: 200_000 }, (_, at) => ({ name: at === 7 ? 'longest' : 'a', at }));
    const lines = table(rows, ['name', 'at']).split('\n');
    expect([lines.length, lines[0], lines[1]]).toEqual([200_002, 'NAME     AT', 'a        0']);
  });
});

describe('names of partners and users', () => {
  const escape = '\u001b[31m\u009b31m';
  const reversed = '\u202e\u2066\u2028';

  it.each<[string, (name: string) => string]>([
    ['a cell', (name) => table([{ name }], ['name'])],
    ['an object in a cell', (name) => table([{ name: { [name]: name } }], ['name'])],
    ['a list in a cell', (name) => table([{ name: [name] }], ['name'])],
    ['a field', (name) => details({ name })],
    ['the name of a field', (name) => details({ values: { [name]: '1' } })],
    ['an object of a list', (name) => details({ events: [{ id: name }] })],
  ])('send no control characters and no marks of direction to the terminal in %s', (_where, show) => {
    expect(show(escape).replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
    expect(show(reversed)).not.toMatch(/[\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
  });
});

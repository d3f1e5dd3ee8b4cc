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

  it.each<[string, string]>([
    ['a cell', table([{ name: escape }], ['name'])],
    ['an object in a cell', table([{ name: { [escape]: escape } }], ['name'])],
    ['a list in a cell', table([{ name: [escape] }], ['name'])],
    ['a field', details({ name: escape })],
    ['the name of a field', details({ values: { [escape]: '1' } })],
    ['an object of a list', details({ events: [{ id: escape }] })],
  ])('send no control characters to the terminal in %s', (_where, shown) => {
    expect(shown.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  });
});

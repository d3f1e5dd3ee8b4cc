import { table } from './output';

describe('a table', () => {
  it('has any number of rows', () => {
    const rows = Array.from({ length: 200_000 }, (_, at) => ({ name: at === 7 ? 'longest' : 'a', at }));
    const lines = table(rows, ['name', 'at']).split('\n');
    expect([lines.length, lines[0], lines[1]]).toEqual([200_002, 'NAME     AT', 'a        0']);
  });
});

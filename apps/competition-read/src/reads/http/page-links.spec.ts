import { encodeCursor } from '../arguments/cursor';
import { pageLinks } from './page-links';
import { listScope, parseArguments } from '../arguments/parse-arguments';
import { id } from '../arguments/path-parameters';
import { paging } from '../arguments/page-bounds';
import { bool, sortBy, word } from '../arguments/query-parameters';

const row = {
  id: 'getThings',
  path: '/things/{thing_id}/parts',
  params: { thing_id: id('A thing', 'x') },
  query: {
    game: word('A game'),
    publishedOnly: bool(true, 'Leaves out'),
    sort: sortBy('createdAt', 'By'),
    ...paging({ maxOffset: 100 }),
  },
};

describe('links of a page', () => {
  it('has none on an only page', () => {
    expect(pageLinks(row, parseArguments(row, { thing_id: 'a' }, ''), { offset: 0, limit: 20, next: null })).toBeNull();
  });

  it('repeats what says which list it is, escaped, and leaves the defaults out', () => {
    const args = parseArguments(
      row,
      { thing_id: 'a/ü>' },
      'game=%3E%22a+b&publishedOnly=false&sort=%2BcreatedAt&limit=5',
    );
    const next = { offset: 25, after: { sort: 1, id: 'x' } };
    const cursor = encodeCursor(listScope(row, args), next);
    const filters = 'game=%3E%22a+b&publishedOnly=false&sort=%2BcreatedAt&limit=5';
    expect(pageLinks(row, args, { offset: 20, limit: 5, next })).toBe(
      `</data/v4/things/a%2F%C3%BC%3E/parts?${filters}&cursor=${cursor}>; rel="next", ` +
        `</data/v4/things/a%2F%C3%BC%3E/parts?${filters}&offset=15>; rel="prev"`,
    );
    expect(parseArguments(row, { thing_id: 'a/ü>' }, `${filters}&cursor=${cursor}`)).toMatchObject({ cursor: next });
  });

  it('goes back to the first item with a page that is not full', () => {
    const args = parseArguments(row, { thing_id: 'a' }, 'offset=3&limit=20');
    expect(pageLinks(row, args, { offset: 3, limit: 20, next: null })).toBe(
      '</data/v4/things/a/parts?limit=3&offset=0>; rel="prev"',
    );
  });

  it('goes back as far as offsets go', () => {
    const args = parseArguments(row, { thing_id: 'a' }, '');
    expect(pageLinks(row, args, { offset: 120, limit: 20, next: null })).toContain('offset=100');
    expect(pageLinks(row, args, { offset: 140, limit: 20, next: null })).toBeNull();
  });
});

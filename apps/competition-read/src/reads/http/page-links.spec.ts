import { encodeCursor } from '../arguments/cursor';
import { pageLinks } from './page-links';
import { listScope, parseArguments } from '../arguments/parse-arguments';
import { id } from '../arguments/path-parameters';
import { paging } from '../arguments/page-bounds';
import { bool, sortBy, word } from '../arguments/query-parameters';
import type { Parameter } from '../arguments/parameter';
import { readRows } from '../rows/read-rows';
import type { ReadRow } from '../rows/read-row';

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

describe('the longest links of a page', () => {
  /** What clients such as Node's take as headers of a response by default; a KiB of it is for all other headers. */
  const maxLinkBytes = 15 * 1024;
  const owls = (count: number) => '🦉'.repeat(count);
  const paged = readRows.filter(({ query }) => query.cursor).map((declared) => [declared.id, declared] as const);

  it.each(paged)('of %s leave room for the other headers', (_, declared) => {
    // An id has at most 512 bytes.
    const path = Object.entries(declared.params).map(([name, given]) => [name, longest(given, 128)]);
    const filters = Object.entries(declared.query)
      .filter(([name]) => !['offset', 'limit', 'cursor'].includes(name))
      .map(([name, given]): [string, string] => [name, longest(given, 6000)]);
    const args = parseArguments(declared, Object.fromEntries(path), new URLSearchParams(filters).toString());
    expect(pageLinks(declared, args, lastPage(declared))?.length).toBeLessThan(maxLinkBytes);
  });

  function longest({ schema, fallback }: Parameter, maxLength: number): string {
    if (schema.type === 'boolean') return String(!fallback);
    if (schema.type === 'array') return schema.items?.enum?.join(',') ?? '';
    if (schema.type === 'integer') return String(schema.maximum);
    const others = schema.enum?.filter((value) => value !== fallback) ?? [owls(schema.maxLength ?? maxLength)];
    return others.sort((a, b) => b.length - a.length)[0];
  }

  /** The last page that an offset gives, with the longest cursor to the next one. */
  function lastPage({ query: { offset, limit, cursor } }: ReadRow): Parameters<typeof pageLinks>[2] {
    const [deepest, most] = [offset.schema.maximum ?? NaN, limit.schema.maximum ?? NaN];
    const sort = Number.MIN_SAFE_INTEGER;
    const binding = 'x'.repeat(16);
    const room = ((cursor.schema.maxLength ?? NaN) * 3) / 4 - JSON.stringify([deepest, binding, sort, '']).length;
    return {
      offset: deepest + most,
      limit: most,
      next: { offset: deepest, after: { sort, id: 'x'.repeat(room) } },
    };
  }
});

import { CodedError } from '@podium/messages';
import * as fc from 'fast-check';
import { encodeCursor } from './cursor';
import { listScope, parseArguments } from './parse-arguments';
import { id, numberInPath } from './path-parameters';
import { paging } from './page-bounds';
import {
  bool,
  flags,
  instant,
  oneOf,
  requiredName,
  requiredWord,
  searchText,
  sortBy,
  wholeName,
  word,
} from './query-parameters';

const row = {
  id: 'getThings',
  params: { thing_id: id('A thing', 'x') },
  query: {
    game: word('A game'),
    type: oneOf(['all', 'past'], 'all', 'Which'),
    expanded: flags(['organizer', 'game'], 'Adds'),
    publishedOnly: bool(true, 'Leaves out'),
    sort: sortBy('createdAt', 'By'),
    from: instant('Since'),
    to: instant('Until'),
    ...paging({ maxLimit: 50, defaultLimit: 10, maxOffset: 1000 }),
  },
};

function parse(query: string, thingId = 'thing-1'): Record<string, unknown> {
  return parseArguments(row, { thing_id: thingId }, query);
}

/** Status and parameters of the refusal of a request; fails where it is accepted. */
function refusal(run: () => unknown): [number, readonly string[]] {
  try {
    run();
  } catch (error) {
    if (error instanceof CodedError) return [error.status, error.parameters];
    throw error;
  }
  throw new Error('accepted');
}

describe('arguments of a read', () => {
  it('are the declared ones, defaults where none is given; others are ignored', () => {
    expect(parse('unknown=1&constructor=2&__proto__=3')).toEqual({
      thing_id: 'thing-1',
      game: undefined,
      type: 'all',
      expanded: [],
      publishedOnly: true,
      sort: '-createdAt',
      from: undefined,
      to: undefined,
      offset: 0,
      limit: 10,
      cursor: null,
    });
  });

  it.each(['limit=&offset=undefined&type=&game=undefined&expanded=&from=undefined', '&&=5&limit&=', ''])(
    'are not given where they are empty or the text undefined: %s',
    (query) => {
      expect(parse(query)).toEqual(parse('other=1'));
    },
  );

  it('counts a repeated one once when all but one are not given', () => {
    expect(parse('limit=undefined&limit=5&limit=')).toMatchObject({ limit: 5 });
  });

  it.each([
    ['limit=1', { limit: 1 }],
    ['limit=50', { limit: 50 }],
    ['offset=1000', { offset: 1000 }],
    ['expanded=organizer&expanded=game', { expanded: ['organizer', 'game'] }],
    ['expanded=game,organizer', { expanded: ['game', 'organizer'] }],
    ['expanded=game%2Corganizer,', { expanded: ['game', 'organizer'] }],
    ['sort=+createdAt', { sort: '+createdAt' }],
    ['sort=%2BcreatedAt', { sort: '+createdAt' }],
    ['sort=%20createdAt', { sort: '+createdAt' }],
    ['sort=-createdAt', { sort: '-createdAt' }],
    ['publishedOnly=false', { publishedOnly: false }],
    ['game=a+b%2Bc', { game: 'a b+c' }],
    ['game=%C3%A9%F0%9F%A6%89', { game: 'é🦉' }],
    ['game=\xc3\xa9', { game: 'é' }],
    ['%67ame=cs2', { game: 'cs2' }],
    ['from=5&to=5', { from: 5, to: 5 }],
    ['from=8640000000000000', { from: 8_640_000_000_000_000 }],
  ])('reads %s', (query, expected) => {
    expect(parse(query)).toMatchObject(expected);
  });

  it.each<[string, string[]]>([
    ...['+5', '01', '0x10', '1e2', '%205', '5%20', '5.0', '-1', '0', '51', '9223372036854775808', '٥'].map(
      (text): [string, string[]] => [`limit=${text}`, ['limit']],
    ),
    ['limit=5&limit=5', ['limit']],
    ['offset=1001', ['offset']],
    ['type=future', ['type']],
    ['type=past&type=past', ['type']],
    ['expanded=organizer,organizer', ['expanded']],
    ['expanded=game&expanded=game', ['expanded']],
    ['expanded=team', ['expanded']],
    ['publishedOnly=1', ['publishedOnly']],
    ['publishedOnly=True', ['publishedOnly']],
    ['sort=createdAt', ['sort']],
    ['sort=-name', ['sort']],
    ['from=6&to=5', ['from', 'to']],
    ['from=8640000000000001', ['from']],
    ['game=%00', ['game']],
    ['game=%ff', ['game']],
    ['game=%ED%A0%80', ['game']],
    ['game=%zz', ['game']],
    ['game=\xff', ['game']],
    ['game=a&game=b', ['game']],
    ['cursor=x', ['cursor']],
  ])('refuses %s and names the parameter', (query, parameters) => {
    expect(refusal(() => parse(query))).toEqual([400, parameters]);
  });

  it('leaves broken values of other parameters alone', () => {
    expect(parse('unknown=%zz&%zz=1&limit=5')).toMatchObject({ limit: 5 });
  });

  it.each([
    ['an empty one', ''],
    ['one with a NUL', 'a\0b'],
    ['one with an unpaired surrogate', 'a\ud800'],
    ['one that is too long', 'a'.repeat(513)],
    ['one that is too long in bytes', 'é'.repeat(300)],
  ])('answers an id that cannot exist with 404: %s', (_, thingId) => {
    expect(refusal(() => parse('', thingId))[0]).toBe(404);
  });

  it.each(['a', '1-5f3c1d2e', 'a b', 'é', '%', 'a/b', 'undefined'])('takes any other id as it is: %s', (thingId) => {
    expect(parse('', thingId)).toMatchObject({ thing_id: thingId });
  });

  it('needs what is required', () => {
    const needy = { id: 'x', params: {}, query: { game: requiredWord('A game') } };
    for (const query of ['', 'game=', 'game=undefined', 'games=1'])
      expect(refusal(() => parseArguments(needy, {}, query))).toEqual([400, ['game']]);
  });

  it('takes plain digits for a number in the path, else answers 400', () => {
    const numbered = { id: 'x', params: { group: numberInPath('A group') }, query: {} };
    expect(parseArguments(numbered, { group: '12' }, '')).toEqual({ group: 12 });
    for (const text of ['x', '-1', '1.0', '01', '2147483648', ''])
      expect(refusal(() => parseArguments(numbered, { group: text }, ''))).toEqual([400, ['group']]);
  });

  it('searches for 1 to 100 characters, whatever they are made of', () => {
    const search = { id: 'x', params: {}, query: { name: searchText('A name') } };
    const nameOf = (text: string) => parseArguments(search, {}, `name=${encodeURIComponent(text)}`).name;
    for (const text of ['%', '_', '\\', ' ', '🦉'.repeat(100)]) expect(nameOf(text)).toBe(text);
    for (const text of ['a'.repeat(101), '🦉'.repeat(101)])
      expect(refusal(() => nameOf(text))).toEqual([400, ['name']]);
  });

  it.each([
    ['a word', word('A word'), 128],
    ['a required word', requiredWord('A word'), 128],
    ['a name', wholeName('A name'), 256],
    ['a required name', requiredName('A name'), 256],
  ])('compares with %s as long as stored ones may be, in characters', (_, parameter, max) => {
    const named = { id: 'x', params: {}, query: { name: parameter } };
    const nameOf = (text: string) => parseArguments(named, {}, `name=${encodeURIComponent(text)}`).name;
    expect(parameter.schema.maxLength).toBe(max);
    for (const text of ['a'.repeat(max), '🦉'.repeat(max)]) expect(nameOf(text)).toBe(text);
    for (const text of ['a'.repeat(max + 1), '🦉'.repeat(max + 1), '('.repeat(6000)])
      expect(refusal(() => nameOf(text))).toEqual([400, ['name']]);
  });

  it('never fails otherwise, and gives back any text that it accepts', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.string({ unit: 'binary', maxLength: 20 }),
        (game, rest) => {
          const query = `game=${encodeURIComponent(game.toWellFormed())}&${rest.replace(/[^\x21-\xff]/g, '')}`;
          try {
            const args = parse(query);
            if (!rest.includes('game'))
              expect(args.game ?? '').toBe(game.toWellFormed() === 'undefined' ? '' : game.toWellFormed());
          } catch (error) {
            expect(error).toBeInstanceOf(CodedError);
          }
        },
      ),
    );
  });
});

describe('a cursor', () => {
  const args = parse('type=past&game=cs2&limit=5');
  const position = { offset: 20, after: { sort: -7, id: 'é' } };
  const cursor = encodeCursor(listScope(row, args), position);

  it('says where the page begins, whatever the limit and the order of the arguments', () => {
    expect(parse(`cursor=${cursor}&game=cs2&limit=7&type=past`).cursor).toMatchObject(position);
  });

  it('goes beyond the maximum of offsets, and needs no row', () => {
    const deep = encodeCursor(listScope(row, parse('')), { offset: 5000, after: null });
    expect(parse(`cursor=${deep}`).cursor).toMatchObject({ offset: 5000, after: null });
  });

  it('counts the items before the page where the id of the last one is too long for it', () => {
    for (const id of ['ä€'.repeat(340), '"'.repeat(1024)]) {
      const long = encodeCursor(listScope(row, args), { offset: 20, after: { sort: 1, id } });
      expect(parse(`cursor=${long}&game=cs2&type=past`).cursor).toMatchObject({ offset: 20, after: null });
    }
  });

  it.each([
    ['another filter', `type=all&game=cs2&cursor=${cursor}`],
    ['a filter less', `type=past&cursor=${cursor}`],
    ['a filter more', `type=past&game=cs2&publishedOnly=false&cursor=${cursor}`],
    ['a changed text', `type=past&game=cs2&cursor=${cursor.slice(0, -2)}AA`],
    ['padding', `type=past&game=cs2&cursor=${cursor}=`],
    ['more behind it', `type=past&game=cs2&cursor=${cursor}A`],
    ['nothing like a cursor', 'type=past&game=cs2&cursor=W10'],
    ['a long text', `type=past&game=cs2&cursor=${'A'.repeat(3000)}`],
  ])('is refused with %s', (_, query) => {
    expect(refusal(() => parse(query))).toEqual([400, ['cursor']]);
  });

  it('is refused for another thing, another operation, and together with an offset', () => {
    expect(refusal(() => parse(`type=past&game=cs2&cursor=${cursor}`, 'thing-2'))).toEqual([400, ['cursor']]);
    const query = `type=past&game=cs2&cursor=${cursor}`;
    expect(refusal(() => parseArguments({ ...row, id: 'getOthers' }, { thing_id: 'thing-1' }, query))).toEqual([
      400,
      ['cursor'],
    ]);
    expect(refusal(() => parse(`${query}&offset=1`))).toEqual([400, ['cursor', 'offset']]);
  });

  it('is taken together with all defaults, which generated clients send', () => {
    const defaults = 'offset=0&publishedOnly=true&sort=-createdAt';
    expect(parse(`type=past&game=cs2&cursor=${cursor}&limit=10&${defaults}`).cursor).toMatchObject(position);
  });

  it('is refused when forged, never an exception of another kind', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const forged = Buffer.from(JSON.stringify(value)).toString('base64url');
        expect(refusal(() => parse(`type=past&game=cs2&cursor=${forged}`))).toEqual([400, ['cursor']]);
      }),
    );
  });
});

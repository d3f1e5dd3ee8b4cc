import fc from 'fast-check';
import type { SearchKind } from './search-name';
import { filtersOf, scopeOf, scopesWith, rotatedScopeOf } from './scopes';

const kinds = Object.keys(filtersOf) as SearchKind[];

describe('scopes of searches', () => {
  it('includes a name in the scope of each search whose tags it has, and in no other', () => {
    const tag = fc
      .tuple(fc.constantFrom('country', 'game', 'region', 'type'), fc.constantFrom('a', 'b', 'c'))
      .map(([filter, value]) => `${filter}:${value}`);
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds),
        fc.array(tag),
        fc.uniqueArray(tag, { maxLength: 3 }),
        (kind, own, asked) => {
          const canBeAsked =
            new Set(asked.map(filterOf)).size === asked.length &&
            asked.every((tag) => filtersOf[kind].includes(filterOf(tag)));
          fc.pre(canBeAsked);
          const isFound = asked.every((tag) => own.includes(tag));
          expect(scopesWith(kind, own).includes(scopeOf(kind, asked))).toBe(isFound);
        },
      ),
    );
  });

  it('has no duplicate scope, so that no index row is duplicated', () => {
    const scopes = scopesWith('player', ['country:de', 'game:a', 'game:b', 'game:b', 'region:EU']);
    expect(scopes).toHaveLength(6);
    expect(new Set(scopes).size).toBe(6);
  });

  it('does not grow with tags that no search filters by', () => {
    const tags = Array.from({ length: 100 }, (_, index) => `game:${index}`);
    expect(scopesWith('organizer', tags)).toEqual([scopeOf('organizer', [])]);
  });

  it('separates kinds, and rotated names from others', () => {
    const scopes = kinds.flatMap((kind) => [scopeOf(kind, []), rotatedScopeOf(kind)]);
    expect(new Set(scopes).size).toBe(2 * kinds.length);
  });

  it('accepts tags in any order', () => {
    expect(scopeOf('hub', ['region:EU', 'game:cs2'])).toBe(scopeOf('hub', ['game:cs2', 'region:EU']));
  });
});

function filterOf(tag: string): string {
  return tag.slice(0, tag.indexOf(':'));
}

import { placementProblems } from './placement';

const nodes = ['a-1', 'a-2', 'b-1', 'b-2'].map((name) => ({ name, labels: { zone: name[0], host: name } }));
const check = (...podNodes: string[]): string[] =>
  placementProblems(
    [
      { topologyKey: 'zone', maxSkew: 1 },
      { topologyKey: 'host', maxSkew: 1 },
    ],
    nodes,
    podNodes,
  );

describe('placement', () => {
  it('accepts pods that are spread', () => {
    expect(check('a-1', 'b-2')).toEqual([]);
    expect(check('a-1', 'b-1', 'b-2')).toEqual([]);
    expect(check()).toEqual([]);
  });

  it('finds uneven zones and hosts, and nodes that are not allowed', () => {
    expect(check('a-1', 'a-2')).toEqual(['zone is uneven: a 2, b 0']);
    expect(check('a-1', 'a-1', 'b-1', 'b-1')).toEqual(['host is uneven: a-1 2, a-2 0, b-1 2, b-2 0']);
    expect(check('c-1')).toContain('a pod runs on c-1, which is not allowed');
  });
});

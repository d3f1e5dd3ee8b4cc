import { Source } from './random';

describe('Source', () => {
  const source = new Source(1, 'thing');
  const indexes = Array.from({ length: 20_000 }, (_, index) => index);

  it('gives every instance unique ids in the formats of their kinds', () => {
    const uuids = indexes.map((index) => source.uuid(index));
    expect(new Set(uuids).size).toBe(indexes.length);
    for (const uuid of uuids)
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const hexes = indexes.map((index) => source.hex24(index));
    expect(new Set(hexes).size).toBe(indexes.length);
    for (const hex of hexes) expect(hex).toMatch(/^[0-9a-f]{24}$/);
  });

  it('gives different values for different nouns and seeds', () => {
    const ids = new Set([new Source(1, 'thing'), new Source(1, 'other'), new Source(2, 'thing')].map((s) => s.uuid(0)));
    expect(ids.size).toBe(3);
  });

  it('draws the same values for an instance, independent of earlier draws', () => {
    const first = source.random(7);
    const draws = [first.below(1_000_000), first.between(-5, 5), first.bell(), first.skewed(1_000)];
    source.random(6).below(10);
    const again = source.random(7);
    expect([again.below(1_000_000), again.between(-5, 5), again.bell(), again.skewed(1_000)]).toEqual(draws);
  });

  it('draws a normal distribution of mean 0 and deviation 1', () => {
    const draws = indexes.map((index) => source.random(index).bell());
    const mean = draws.reduce((sum, draw) => sum + draw, 0) / draws.length;
    const variance = draws.reduce((sum, draw) => sum + (draw - mean) ** 2, 0) / draws.length;
    expect(mean).toBeCloseTo(0, 1);
    expect(variance).toBeCloseTo(1, 1);
  });
});

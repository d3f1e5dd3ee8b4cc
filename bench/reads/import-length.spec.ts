import { worldChanges } from '../../tools/competition/world/changes';
import { importProblem, importedWorld, measuredImportMs } from './import-length';
import { readOptions } from './options';

const changesOf = (players: number): number => [...worldChanges(importedWorld(players))].flat().length;

describe('importProblem', () => {
  it.each([
    [200, 1_000],
    [400, 1_000],
  ])('refuses %i players at %i changes a second, and names a number that is enough', (players, changesPerS) => {
    const enough = Number(/use --import (\d+),/.exec(importProblem(players, changesPerS) ?? '')?.[1]);
    expect(measuredImportMs(changesOf(players), changesPerS)).toBeLessThan(5_000);
    expect(measuredImportMs(changesOf(enough), changesPerS)).toBeGreaterThanOrEqual(5_000);
    expect(importProblem(enough, changesPerS)).toBeUndefined();
  });

  it('takes a run without an import, and refuses one that publishes nothing', () => {
    expect(importProblem(0, 0)).toBeUndefined();
    expect(importProblem(4_000, 0)).toBe('--import-rate must be at least 1.');
  });
});

describe('readOptions of bench:reads', () => {
  afterEach(() => jest.restoreAllMocks());

  it('takes the defaults', () => {
    expect(readOptions([]).importPlayers).toBe(4_000);
  });

  it('refuses an import that is too short to measure', () => {
    let printed = '';
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => ((printed += String(text)), true));
    jest.spyOn(process, 'exit').mockImplementation((code) => {
      throw new Error(`exit ${code}`);
    });
    expect(() => readOptions(['--import', '200'])).toThrow('exit 1');
    expect(printed).toMatch(/the import of 200 players ends before reads are measured for 5 s: use --import \d+,/);
  });
});

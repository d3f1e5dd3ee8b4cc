import { FailingPartners } from './failing-partners';

describe('FailingPartners', () => {
  it('asks each failing partner every 20 seconds until it has recovered', () => {
    let nowMs = 0;
    const failing = new FailingPartners(() => nowMs);
    failing.failed('a');
    nowMs = 10_000;
    failing.failed('b');
    failing.failed('a');
    expect(failing.takeDue()).toEqual([]);
    nowMs = 20_000;
    expect(failing.takeDue()).toEqual(['a']);
    expect(failing.takeDue()).toEqual([]);
    nowMs = 40_000;
    expect(failing.takeDue()).toEqual(['a', 'b']);
    expect(failing.recovered('a')).toBe(true);
    expect(failing.recovered('a')).toBe(false);
    nowMs = 60_000;
    expect(failing.takeDue()).toEqual(['b']);
  });
});

import { FailingPartners } from './failing-partners';

describe('FailingPartners', () => {
  let nowMs: number;
  let failing: FailingPartners;

  beforeEach(() => {
    nowMs = 0;
    failing = new FailingPartners(() => nowMs);
  });

  it('probes each failing partner every 20 seconds until a probe has succeeded', () => {
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
    expect(failing.probed('a')).toBe(true);
    expect(failing.probed('a')).toBe(false);
    nowMs = 60_000;
    expect(failing.takeDue()).toEqual(['b']);
    expect(failing.recovering).toEqual(['a']);
    failing.forget('a');
    expect(failing.recovering).toEqual([]);
  });

  it('does not take a probe for a recovery when another link failed since it began', () => {
    failing.failed('a');
    nowMs = 20_000;
    failing.takeDue();
    failing.failed('a');
    expect(failing.probed('a')).toBe(false);
    expect(failing.recovering).toEqual([]);
  });

  it('stops hastening at a failure, and probes again', () => {
    failing.failed('a');
    nowMs = 20_000;
    failing.takeDue();
    failing.probed('a');
    failing.failed('a');
    expect(failing.recovering).toEqual([]);
    nowMs = 40_000;
    expect(failing.takeDue()).toEqual(['a']);
  });
});

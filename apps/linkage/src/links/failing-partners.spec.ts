import { FailingPartners } from './failing-partners';

describe('FailingPartners', () => {
  let nowMs: number;
  let failing: FailingPartners;

  beforeEach(() => {
    nowMs = 0;
    failing = new FailingPartners(() => nowMs);
  });

  it('probes each failing partner every 20 seconds until a probe has succeeded', () => {
    failing.failed('a', 'link-1');
    nowMs = 10_000;
    failing.failed('b', 'link-1');
    failing.failed('a', 'link-1');
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
    failing.failed('a', 'link-1');
    nowMs = 20_000;
    failing.takeDue();
    failing.failed('a', 'link-1');
    expect(failing.probed('a')).toBe(false);
    expect(failing.recovering).toEqual([]);
  });

  it('probes ever less often while other links succeed, and again every 20 seconds when another one fails', () => {
    failing.failed('a', 'link-1');
    nowMs = 20_000;
    const pauses: number[] = [];
    for (let probe = 0, lastMs = nowMs; probe < 8; nowMs += 5_000) {
      failing.succeeded('a');
      if (failing.takeDue().length === 0) continue;
      failing.probing('a', 'link-1');
      failing.failed('a', 'link-1');
      pauses.push((nowMs - lastMs) / 1000);
      lastMs = nowMs;
      probe++;
    }
    expect(pauses).toEqual([0, 40, 80, 160, 320, 600, 600, 600]);
    failing.failed('a', 'link-2');
    nowMs += 20_000;
    expect(failing.takeDue()).toEqual(['a']);
  });

  it('stops hastening at a failure, and probes again', () => {
    failing.failed('a', 'link-1');
    nowMs = 20_000;
    failing.takeDue();
    failing.probed('a');
    failing.failed('a', 'link-1');
    expect(failing.recovering).toEqual([]);
    nowMs = 40_000;
    expect(failing.takeDue()).toEqual(['a']);
  });
});

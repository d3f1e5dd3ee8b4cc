import { Registry } from '@podium/runtime/metrics';
import { PartnerWaits } from './partner-waits';

describe('PartnerWaits', () => {
  let nowMs: number;
  let registry: Registry;
  let waits: PartnerWaits;

  beforeEach(() => {
    nowMs = 0;
    registry = new Registry();
    waits = new PartnerWaits(registry, () => nowMs);
  });

  /** Begins as many waits as allowed, at most `times`. */
  function enter(platform: string, times: number): (() => void)[] {
    return Array.from({ length: times }, () => waits.enter(platform)).flatMap((leave) => leave ?? []);
  }

  it('gives all slow partners together a part of the capacity, and responsive ones the rest', async () => {
    const hanging = ['a', 'b', 'c', 'd', 'e'].flatMap((platform) => enter(platform, 32));
    expect(hanging).toHaveLength(160);
    nowMs = 1001;
    expect(enter('a', 1)).toHaveLength(0);
    expect(enter('well', 90)).toHaveLength(90);
    expect(await registry.metrics()).toContain('linkage_slow_partner_waits 160');
    for (const leave of hanging) leave();
    // Their last waits were slow, so they still count as slow.
    expect(['a', 'b', 'c', 'd', 'e'].flatMap((platform) => enter(platform, 32))).toHaveLength(128);
  });

  it('gives each slow partner an equal share, in any order of arrival', () => {
    const all = ['late', 'a', 'b', 'c'].flatMap((platform) => enter(platform, 1));
    nowMs = 1001;
    for (const leave of all) leave();
    // No user waits for the other partners yet, so this one gets the whole slow part.
    const first = enter('a', 200);
    expect(first).toHaveLength(128);
    expect(enter('late', 1)).toHaveLength(0);
    nowMs = 2002;
    for (const leave of first) leave();
    expect(['a', 'b', 'c'].map((platform) => enter(platform, 32).length)).toEqual([32, 32, 32]);
    expect(enter('late', 100)).toHaveLength(32);
  });

  it('treats a partner as responsive again after a fast response', () => {
    const [first] = enter('a', 1);
    nowMs = 2000;
    first();
    const current = enter('a', 200);
    expect(current).toHaveLength(128);
    nowMs = 2500;
    current[0]();
    expect(enter('a', 100)).toHaveLength(100);
  });

  it('limits all waits together', () => {
    expect(Array.from({ length: 60 }, (_, i) => enter(`p-${i}`, 10)).flat()).toHaveLength(256);
  });

  it('counts a wait that is ended twice once', () => {
    const [leave] = enter('a', 2);
    leave();
    leave();
    nowMs = 1001;
    expect(waits.slowWaits()).toBe(1);
  });
});

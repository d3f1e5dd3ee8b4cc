import { Registry } from '@podium/runtime/metrics';
import { PartnerRoom } from './partner-room';

describe('PartnerRoom', () => {
  let nowMs: number;
  let registry: Registry;
  let room: PartnerRoom;

  beforeEach(() => {
    nowMs = 0;
    registry = new Registry();
    room = new PartnerRoom(registry, () => nowMs);
  });

  /** Enters as often as it may, at most `times`. */
  function enter(platform: string, times: number): (() => void)[] {
    return Array.from({ length: times }, () => room.enter(platform)).flatMap((leave) => leave ?? []);
  }

  it('gives partners that are slow a part of it, all together, and the rest to those that answer', async () => {
    const hanging = ['a', 'b', 'c', 'd', 'e'].flatMap((platform) => enter(platform, 32));
    expect(hanging).toHaveLength(160);
    nowMs = 1001;
    expect(enter('a', 1)).toHaveLength(0);
    expect(enter('well', 90)).toHaveLength(90);
    expect(await registry.metrics()).toContain('linkage_slow_partner_waits 160');
    for (const leave of hanging) leave();
    // They hung until the end, so that they begin slow.
    expect(['a', 'b', 'c', 'd', 'e'].flatMap((platform) => enter(platform, 32))).toHaveLength(128);
  });

  it('gives a partner that is slow as much as those that hang, whoever came first', () => {
    const all = ['late', 'a', 'b', 'c'].flatMap((platform) => enter(platform, 1));
    nowMs = 1001;
    for (const leave of all) leave();
    // Nobody waits for the others yet, so that the whole part is its own.
    const first = enter('a', 200);
    expect(first).toHaveLength(128);
    expect(enter('late', 1)).toHaveLength(0);
    nowMs = 2002;
    for (const leave of first) leave();
    expect(['a', 'b', 'c'].map((platform) => enter(platform, 32).length)).toEqual([32, 32, 32]);
    expect(enter('late', 100)).toHaveLength(32);
  });

  it('takes a partner for well again once it answers sooner', () => {
    const [first] = enter('a', 1);
    nowMs = 2000;
    first();
    const waits = enter('a', 200);
    expect(waits).toHaveLength(128);
    nowMs = 2500;
    waits[0]();
    expect(enter('a', 100)).toHaveLength(100);
  });

  it('has an end', () => {
    expect(Array.from({ length: 60 }, (_, i) => enter(`p-${i}`, 10)).flat()).toHaveLength(256);
  });

  it('counts a wait that is left twice once', () => {
    const [leave] = enter('a', 2);
    leave();
    leave();
    nowMs = 1001;
    expect(room.slowWaits()).toBe(1);
  });
});

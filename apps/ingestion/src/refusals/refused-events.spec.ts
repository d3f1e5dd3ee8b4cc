import { RefusedEvent, RefusedEvents, maxRefusedEvents } from './refused-events';

function refused(change: Partial<RefusedEvent> = {}): RefusedEvent {
  return {
    ...{ platform: 'acme', eventId: 'e-1', code: 'user_not_linked', field: 'platform_user_id', message: 'Not linked.' },
    ...{ platformUserId: 'p-1', requestId: 'r-1', ...change },
  };
}

describe('refused events in memory', () => {
  let nowMs: number;
  let events: RefusedEvents;

  beforeEach(() => {
    nowMs = 1000;
    events = new RefusedEvents(() => nowMs);
  });

  it('are counted per platform, event and code, with what the newest refusal says', () => {
    events.add(refused());
    nowMs = 2000;
    events.add(refused({ requestId: 'r-2', message: 'x'.repeat(500) }));
    events.add(refused({ code: 'event_not_negotiated' }));
    events.add(refused({ platform: 'zenith' }));
    const taken = events.take();
    expect(taken).toHaveLength(3);
    expect(taken[0]).toMatchObject({ count: 2, firstAtMs: 1000, lastAtMs: 2000, requestId: 'r-2' });
    expect(taken[0].message).toHaveLength(300);
    expect(events.take()).toEqual([]);
  });

  it('keep the newest of each platform, and no platform displaces one that has fewer', () => {
    events.add(refused({ platform: 'small' }));
    for (let platform = 0; platform < 8; platform++)
      for (let id = 0; id <= maxRefusedEvents; id++)
        events.add(refused({ platform: `p-${platform}`, eventId: `e-${id}` }));
    const taken = events.take();
    expect(taken).toHaveLength(50_000);
    expect(taken.filter(({ platform }) => platform === 'small')).toHaveLength(1);
    const ids = taken.filter(({ platform }) => platform === 'p-0').map(({ eventId }) => eventId);
    expect(ids.length).toBeLessThanOrEqual(maxRefusedEvents);
    expect(ids).toContain(`e-${maxRefusedEvents}`);
    expect(ids).not.toContain('e-0');
  });

  it('are put back as older ones than those that came meanwhile', () => {
    events.add(refused());
    const taken = events.take();
    nowMs = 3000;
    events.add(refused({ requestId: 'r-3' }));
    events.putBack(taken);
    expect(events.take()).toEqual([
      expect.objectContaining({ count: 2, firstAtMs: 1000, lastAtMs: 3000, requestId: 'r-3' }),
    ]);
  });

  it('are forgotten with an erased account', () => {
    events.add(refused());
    events.add(refused({ eventId: 'e-2', platformUserId: 'p-2' }));
    events.add(refused({ platform: 'zenith' }));
    events.forget([{ platform: 'acme', platformUserId: 'p-1' }]);
    expect(events.take().map(({ platform, platformUserId }) => [platform, platformUserId])).toEqual([
      ['acme', 'p-2'],
      ['zenith', 'p-1'],
    ]);
  });
});

import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { BatchedEvent } from '@podium/messages';
import { AdmissionWorld, event, farMs, nowMs } from '../../test/admission-world';
import { outcomeUnknown } from '../event/outcome';

describe('repeats', () => {
  let world: AdmissionWorld;
  beforeEach(() => (world = new AdmissionWorld()));

  it('are duplicates at once', async () => {
    expect(await world.outcomes(event({}))).toEqual(['accepted']);
    expect(await world.outcomes(event({}))).toEqual(['duplicate']);
    expect(world.published).toHaveLength(1);
  });

  it('with other content do not change the first and are counted', async () => {
    await world.outcomes(event({}));
    expect(await world.outcomes(event({ createdAt: 5 }))).toEqual(['duplicate']);
    expect(world.published).toHaveLength(1);
    expect(world.refusals.take()).toMatchObject([
      { platform: 'acme', code: 'content_differs', platformUserId: 'p-1', count: 1 },
    ]);
  });

  it('of one id on two platforms are two events', async () => {
    expect(await world.outcomes(event({}), event({ platform: 'zenith' }))).toEqual(['accepted', 'accepted']);
    expect(new Set(world.published.map(({ identity }) => identity.recordId)).size).toBe(2);
  });

  it('in one batch share one outcome and one record', async () => {
    expect(await world.outcomes(event({}), event({}), event({ createdAt: 5 }))).toEqual([
      'accepted',
      'accepted',
      'duplicate',
    ]);
    expect(world.published).toHaveLength(1);
  });

  it('across concurrent batches share one outcome and one record', async () => {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    world.publish = async () => {
      await gate;
      return { kind: 'accepted', dropped: [], warnings: [] };
    };
    const first = world.outcomes(event({}), event({ id: 'e-2' }));
    await turn();
    const second = world.outcomes(event({ id: 'e-2' }), event({ id: 'e-3' }), event({}));
    await turn();
    open();
    expect(await Promise.all([first, second])).toEqual([
      ['accepted', 'accepted'],
      ['accepted', 'accepted', 'accepted'],
    ]);
    expect(world.published).toHaveLength(3);
  });

  it('wait for the outcome of the first no longer than their own batch may last', async () => {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const publish = world.publish;
    world.publish = async (admitted) => {
      if (admitted.event.id === 'e-1') await gate;
      return publish(admitted);
    };
    const first = world.outcomes(event({}));
    await turn();
    const repeats = world.admission.admit([event({}), event({ id: 'e-2' }), event({})], nowMs + 50);
    // The first is in flight for seconds while the leader of its partition moves.
    const answers = await Promise.race([repeats, sleep(2_000)]);
    open();
    expect(answers?.map(({ status, isUnknown }) => [status, isUnknown])).toEqual([
      [503, true],
      [200, undefined],
      [503, true],
    ]);
    expect([await first, world.published.length]).toEqual([['accepted'], 2]);
  });

  it('after a refusal for content are checked by their own content', async () => {
    expect(await world.outcomes(event({ name: 'none' }), event({}), event({ name: 'none' }))).toEqual([
      'event_not_negotiated',
      'accepted',
      'event_not_negotiated',
    ]);
  });

  describe('of refused events under one id', () => {
    const unlinked = (count: number) => Array.from({ length: count }, (_, at) => event({ id: '0', user: `u-${at}` }));

    it('are checked together, so that they do not delay the other events of the batch', async () => {
      const outcomes = await world.outcomes(event({ platform: 'zenith' }), ...unlinked(40));
      expect(outcomes).toEqual(['accepted', ...Array<string>(40).fill('user_not_linked')]);
      expect(world.asked).toEqual(['marks', 'links']);
      expect(world.refusals.take()).toHaveLength(40);
    });

    it('precede the first that is accepted, of which later ones with other contents are duplicates', async () => {
      const outcomes = await world.outcomes(
        ...unlinked(3),
        event({ id: '0', name: 'none' }),
        event({ id: '0' }),
        event({ id: '0' }),
        ...unlinked(1),
        event({ id: '0', name: 'none' }),
        event({ id: '0', name: 'other' }),
        event({ id: '0', createdAt: 5 }),
      );
      expect(outcomes).toEqual([
        ...['user_not_linked', 'user_not_linked', 'user_not_linked', 'event_not_negotiated'],
        ...['accepted', 'accepted', 'user_not_linked', 'event_not_negotiated', 'duplicate', 'duplicate'],
      ]);
      expect(world.published).toHaveLength(1);
      expect([...world.marks.values()]).toEqual([world.published[0].identity.content]);
      expect(world.asked).toEqual(['marks', 'links']);
    });

    it('are checked together in each of two batches', async () => {
      const both = await Promise.all([world.outcomes(...unlinked(20)), world.outcomes(...unlinked(20))]);
      expect(both.flat()).toEqual(Array<string>(40).fill('user_not_linked'));
      expect(world.asked.length).toBeLessThanOrEqual(4);
    });

    it('share the failure of the first that passes the checks, which their retries decide', async () => {
      let published = 0;
      world.publish = async () => {
        published++;
        return outcomeUnknown;
      };
      const linked = Array.from({ length: 40 }, (_, at) => event({ id: '0', createdAt: at + 1 }));
      const answers = await world.admission.admit([...linked, event({ id: '0', name: 'none' })], farMs);
      expect(answers.map(({ status, isUnknown }) => [status, isUnknown])).toEqual([
        ...Array<[number, boolean]>(40).fill([503, true]),
        [422, undefined],
      ]);
      expect(published).toBe(1);
      expect(world.marks.size).toBe(0);
    });
  });

  describe('are compared with the first content of their id', () => {
    const [first, other] = [event({ attributes: [['amount', '10']] }), event({ attributes: [['amount', '99']] })];
    const differing = async (...events: BatchedEvent[]) =>
      (await world.admission.admit(events, farMs)).map(({ status, body }) => [
        status,
        body.includes('content_differs'),
      ]);

    it('not with another repeat of the batch', async () => {
      await world.outcomes(first);
      expect(await differing(other, first, other)).toEqual([
        [200, true],
        [200, false],
        [200, true],
      ]);
      expect(world.refusals.take()).toMatchObject([{ code: 'content_differs', count: 2 }]);
    });

    it('nor with one that is in flight in another batch', async () => {
      await world.outcomes(first);
      expect(await Promise.all([differing(other), differing(first, other)])).toEqual([
        [[200, true]],
        [
          [200, false],
          [200, true],
        ],
      ]);
    });

    it('nor with a refused one in flight, before the first that was accepted', async () => {
      const refused = event({ name: 'none' });
      expect(await Promise.all([differing(refused, first), differing(first, other)])).toEqual([
        [
          [422, false],
          [200, false],
        ],
        [
          [200, false],
          [200, true],
        ],
      ]);
      expect(world.published).toHaveLength(1);
    });
  });
});

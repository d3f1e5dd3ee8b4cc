import { WatchEvent } from '../kubernetes-api';
import { PodObserver, PodGuarantee } from './pod-observer';
import { Pod } from './pods';

const start = Date.parse('2026-01-01T00:00:00Z');
const at = (second: number): string => new Date(start + second * 1000).toISOString().replace('.000', '');

interface State {
  /** Second at which it became ready. */
  ready?: number;
  /** Second at which it was deleted. */
  leaves?: number;
  phase?: string;
}

function pod(name: string, { ready, leaves, phase = 'Running' }: State = {}): Pod {
  const leaving = leaves !== undefined && { deletionTimestamp: at(leaves + 45), deletionGracePeriodSeconds: 45 };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'here', name, uid: name, labels: { app: 'gateway' }, ...leaving },
    spec: {},
    status: {
      phase,
      conditions: ready === undefined ? [] : [{ type: 'Ready', status: 'True', lastTransitionTime: at(ready) }],
    },
  };
}

const guarantee: PodGuarantee = { namespace: 'here', name: 'gateway', labels: { app: 'gateway' }, leastReady: 2 };
const change = (object: Pod, type: WatchEvent<Pod>['type'] = 'MODIFIED'): WatchEvent<Pod> => ({ type, object });

function observe(given: Partial<PodGuarantee>, pods: Pod[], changes: WatchEvent<Pod>[]): PodObserver {
  const observer = new PodObserver(pods, [{ ...guarantee, ...given }]);
  for (const event of changes) observer.take(event);
  return observer;
}

describe('pod observer', () => {
  const three = [pod('a', { ready: 0 }), pod('b', { ready: 0 }), pod('c', { ready: 0 })];

  it('finds no problem while enough are ready', () => {
    const { problems, fewest } = observe({}, three, [change(pod('a', { ready: 0, leaves: 60 }))]);
    expect(problems).toEqual([]);
    expect(fewest.get('gateway')).toBe(2);
  });

  it('finds a moment with too few ready pods, even a short one', () => {
    const { problems } = observe({}, three, [
      change(pod('a', { ready: 0, leaves: 60 })),
      change(pod('b', { ready: 0, leaves: 60 })),
      change(pod('d', { ready: 60 }), 'ADDED'),
    ]);
    expect(problems).toEqual(['gateway had 1 ready pods, and 2 are guaranteed']);
  });

  it('does not count pods that are not ready, have ended or belong to another workload', () => {
    const labels = { app: 'gateway' };
    const others = [
      { ...pod('x', { ready: 0 }), metadata: { namespace: 'here', name: 'x', uid: 'x', labels: { app: 'linkage' } } },
      { ...pod('y', { ready: 0 }), metadata: { namespace: 'there', name: 'y', uid: 'y', labels } },
    ];
    const own = [pod('a', { ready: 0 }), pod('b'), pod('c', { ready: 0, phase: 'Failed' })];
    const { problems } = observe({}, [...own, ...others], []);
    expect(problems).toEqual(['gateway had 1 ready pods, and 2 are guaranteed']);
  });

  it.each([
    { lasts: 4_999, problems: [] },
    { lasts: 5_001, problems: ['gateway had 4 pods for over 5 s, and at most 3 are guaranteed'] },
  ])('finds more pods than a roll-out may add, unless one is about to be deleted: $lasts ms', (given) => {
    let nowMs = 0;
    for (const isOver of [true, false]) {
      const observer = new PodObserver(three, [{ ...guarantee, most: 3 }], () => nowMs);
      expect(observer.problems).toEqual([]);
      observer.take(change(pod('d'), 'ADDED'));
      nowMs += given.lasts;
      if (isOver) observer.take(change(pod('a', { ready: 0, leaves: 60 })));
      expect(observer.problems).toEqual(given.problems);
    }
  });

  it.each([
    ['waits until the new pod has been ready long enough', 70, []],
    [
      'deletes a pod too early',
      65,
      ['gateway deleted a pod while 2 others had been ready for 10 s, and 3 are guaranteed'],
    ],
  ])('sees a roll-out that %s', (_, leaves, expected) => {
    const { problems } = observe({ leastReady: 3, minReadySeconds: 10 }, three, [
      change(pod('d', { ready: 60 }), 'ADDED'),
      change(pod('a', { ready: 0, leaves })),
    ]);
    expect(problems).toEqual(expected);
  });

  it('counts a pod that disappeared without a deletion', () => {
    const { problems } = observe({ leastReady: 3, minReadySeconds: 10 }, three, [change(three[0], 'DELETED')]);
    expect(problems).toContain('gateway had 2 ready pods, and 3 are guaranteed');
  });
});

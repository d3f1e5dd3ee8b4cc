import { Deployment, rollingBounds, unfinished } from './deployment';

function deployment(
  status: Deployment['status'],
  rollingUpdate?: { maxUnavailable: number | string; maxSurge: number | string },
): Deployment {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'gateway', generation: 2 },
    spec: {
      replicas: 3,
      selector: { matchLabels: {} },
      strategy: { type: 'RollingUpdate', rollingUpdate },
      template: { metadata: { labels: {} }, spec: { containers: [] } },
    },
    status,
  };
}

const done = { observedGeneration: 2, replicas: 3, updatedReplicas: 3, availableReplicas: 3 };

describe('deployment', () => {
  it('is finished with all pods, new and available, and no others', () => {
    expect(unfinished(deployment(done))).toEqual([]);
  });

  it.each([
    { ...done, observedGeneration: 1 },
    { ...done, updatedReplicas: 2 },
    { ...done, availableReplicas: 2 },
    { ...done, replicas: 4 },
    {},
  ])('is not finished with %j', (status) => {
    expect(unfinished(deployment(status)).join()).toContain('3 wanted');
  });

  it.each([
    [
      { maxUnavailable: 0, maxSurge: 1 },
      { unavailable: 0, surge: 1 },
    ],
    [
      { maxUnavailable: '25%', maxSurge: '25%' },
      { unavailable: 0, surge: 1 },
    ],
    [
      { maxUnavailable: '50%', maxSurge: '50%' },
      { unavailable: 1, surge: 2 },
    ],
    [undefined, { unavailable: 0, surge: 0 }],
  ])('allows with %j', (strategy, expected) => {
    expect(rollingBounds(deployment(done, strategy))).toEqual(expected);
  });
});

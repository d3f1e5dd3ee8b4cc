import { Manifest } from '../generators/yaml-file';
import { autoscalersOf, scalingProblems } from './scaling-commands';

const scaler = (kind: string, name: string, bounds: object): Manifest => ({
  apiVersion: 'v1',
  kind,
  metadata: { name },
  spec: { scaleTargetRef: { name }, ...bounds },
});

const autoscalers = autoscalersOf([
  scaler('HorizontalPodAutoscaler', 'gateway', { minReplicas: 3, maxReplicas: 8 }),
  scaler('ScaledObject', 'engagement', { minReplicaCount: 3, maxReplicaCount: 6 }),
  { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'linkage' }, spec: { replicas: 3 } },
]);

const block = (commands: readonly string[]): string => `# Page\n\n\`\`\`sh\n${commands.join('\n')}\n\`\`\`\n`;
const problemsOf = (...commands: string[]): string[] =>
  scalingProblems(`${block(commands)}\nAn apply ends with a conflict.\n`, autoscalers);
const pause = 'kubectl annotate scaledobject engagement autoscaling.keda.sh/paused-replicas=0';

describe('commands of a page that scale', () => {
  it.each([
    ['a Deployment without an autoscaler', ['kubectl scale deployment linkage --replicas=5']],
    [
      'to 0 and from it',
      ['kubectl scale deployment gateway --replicas=0', 'kubectl scale deployment gateway --replicas=3'],
    ],
    ['a paused one to 0', [pause, 'kubectl scale deployment gateway engagement --replicas=0']],
    [
      'by the minimum of the autoscaler',
      [
        `kubectl patch hpa gateway --type=merge -p '{"spec":{"minReplicas":8}}'`,
        `kubectl patch scaledobject engagement --type=merge -p '{"spec":{"minReplicaCount":6}}'`,
      ],
    ],
  ])('have no problem: %s', (_, commands) => expect(problemsOf(...commands)).toEqual([]));

  it.each([
    [
      'up',
      ['kubectl scale deployment gateway --replicas=8'],
      /undoes its scale to 8: patch minReplicas of hpa gateway/,
    ],
    ['one of several', ['kubectl scale deployment linkage gateway --replicas=5'], /the autoscaler of gateway undoes/],
    ['on two lines', ['kubectl scale deployment gateway \\', '  --replicas=5'], /the autoscaler of gateway undoes/],
    ['to 0 without the pause of KEDA', ['kubectl scale deployment engagement --replicas=0'], /undoes its scale to 0/],
    [
      'above the minimum from 0',
      ['kubectl scale deployment gateway --replicas=0', 'kubectl scale deployment gateway --replicas=5'],
      /undoes its scale to 5/,
    ],
    ['an autoscaler that is not there', [`kubectl patch hpa linkage --type=merge -p '{}'`], /have no hpa linkage/],
    [
      'a custom resource by a strategic merge',
      [`kubectl patch scaledobject engagement -p '{"spec":{"minReplicaCount":6}}'`],
      /is not patched by --type=merge/,
    ],
    [
      'the field of another kind',
      [`kubectl patch scaledobject engagement --type=merge -p '{"spec":{"minReplicas":6}}'`],
      /is not patched by .*minReplicaCount/,
    ],
    [
      'above the maximum',
      [`kubectl patch hpa gateway --type=merge -p '{"spec":{"minReplicas":9}}'`],
      /can be patched from 4 to 8, not to 9/,
    ],
  ])('are reported: %s', (_, commands, problem) =>
    expect(problemsOf(...commands)).toEqual([expect.stringMatching(problem)]),
  );

  it('are found in a sentence', () => {
    const text = 'Then `kubectl -n podium-production scale deployment gateway --replicas=8`; a conflict follows.';
    expect(scalingProblems(text, autoscalers)).toHaveLength(1);
  });

  it.each([
    ['a scale', ['kubectl scale deployment linkage --replicas=4'], 1],
    ['a patch', [`kubectl patch hpa gateway --type=merge -p '{"spec":{"minReplicas":8}}'`], 1],
    ['a scale to 0, which is none', ['kubectl scale deployment linkage --replicas=0'], 0],
  ])('need a word of the conflict with the next apply: %s', (_, commands, count) =>
    expect(scalingProblems(block(commands), autoscalers)).toEqual(
      Array.from({ length: count }, () => expect.stringContaining('ends with a conflict') as string),
    ),
  );
});

import { rollbackProblems } from './rollback-commands';

const page = (...commands: string[]): string => `# Page\n\n\`\`\`sh\n${commands.join('\n')}\n\`\`\`\n`;

describe('commands of a page that roll back', () => {
  it.each([
    ['an undo in a block', page('kubectl -n podium-production rollout undo deployment/gateway')],
    ['an undo on two lines', page('kubectl -n podium-production \\', '  rollout undo deployment/gateway')],
    ['an undo in a sentence', 'Then `kubectl rollout undo deployment/gateway`.'],
    [
      'of the tag alone',
      'It began with a release: set the\n  former tag in `k8s/overlays/production/release.yaml` and apply.',
    ],
  ])('are reported: %s', (_, text) =>
    expect(rollbackProblems(text)).toEqual([expect.stringContaining('apply the manifests of the former release')]),
  );

  it.each([
    ['an apply', page('kubectl kustomize k8s/overlays/test | kubectl apply --server-side -f -')],
    ['a restart', page('kubectl -n podium-production rollout restart deployment/gateway')],
    ['a warning', 'Never use `rollout undo`.'],
  ])('have no problem: %s', (_, text) => expect(rollbackProblems(text)).toEqual([]));
});

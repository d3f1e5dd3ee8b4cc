import { rollbackProblems } from './rollback-commands';

const page = (...commands: string[]): string => `# Page\n\n\`\`\`sh\n${commands.join('\n')}\n\`\`\`\n`;

describe('commands of a page that roll back', () => {
  it.each([
    ['in a block', page('kubectl -n podium-production rollout undo deployment/gateway')],
    ['on two lines', page('kubectl -n podium-production \\', '  rollout undo deployment/gateway')],
    ['in a sentence', 'Then `kubectl rollout undo deployment/gateway`.'],
  ])('are reported: an undo %s', (_, text) =>
    expect(rollbackProblems(text)).toEqual([expect.stringContaining('set the former tag in release.yaml')]),
  );

  it.each([
    ['an apply', page('kubectl kustomize k8s/overlays/test | kubectl apply --server-side -f -')],
    ['a restart', page('kubectl -n podium-production rollout restart deployment/gateway')],
    ['a warning', 'Never use `rollout undo`.'],
  ])('have no problem: %s', (_, text) => expect(rollbackProblems(text)).toEqual([]));
});

import { pathProblems } from './named-paths';

const existing = new Set(['k8s', 'k8s/base', 'k8s/overlays', 'k8s/overlays/test', 'docs/a.md', 'apps/a/src/config.ts']);

const problemsOf = (text: string): string[] => pathProblems(text, existing);

describe('paths that a page names', () => {
  it.each([
    'a folder, `k8s/base/`, and a file, `docs/a.md`',
    'a folder of k8s: `overlays/test`, `base/`',
    'a file of each service: `config.ts`',
    'a placeholder: `overlays/<name>`, `apps/{a,b}/src`',
    'what is no path of the repository: `/health/ready`, `pods/exec`, `app.kubernetes.io/name`, `and/or`',
    'a command: `npm test -- e2e/gone`',
    'a block:\n\n```sh\ncat `docs/gone.md`\n```\n',
  ])('are all there: %s', (text) => expect(problemsOf(text)).toEqual([]));

  it.each([
    ['a file that is gone: `docs/gone.md`', 'there is no docs/gone.md'],
    ['a folder that is gone: `k8s/gone`', 'there is no k8s/gone'],
    ['a folder of k8s that is gone: `overlays/gone`', 'there is no overlays/gone'],
    ['a name that no file has: `gone.yaml`', 'there is no gone.yaml'],
    ['one twice: `docs/gone.md`, `docs/gone.md`', 'there is no docs/gone.md'],
  ])('are reported: %s', (text, problem) => expect(problemsOf(text)).toEqual([problem]));
});

import { chart } from '../dashboards/dashboard';
import { parseRunbook } from './runbook';
import { runbookProblems } from './runbook-problems';

const context = {
  metrics: new Set(['a', 'b']),
  dashboards: [
    {
      name: 'd',
      title: 'd',
      rows: [{ title: 'r', panels: [chart('p', 's', '', ['max(a{platform=~"$platform"})', ''])] }],
    },
  ],
  alertQuery: 'max(b) > 1',
  source: "logger.warn({ operation: 'user_info' }, 'publishing failed')",
};

const good = `# Title
## Meaning
What it means.
## Query
Dashboard "d", panel "p":

\`\`\`promql
max(a)
\`\`\`
## Expected
- Nothing.
## If not
- Do it.
## Over when
This query is empty:

\`\`\`promql
max(b) > 1
\`\`\`

\`\`\`sh
npm run podium -- status
kubectl logs | grep -E 'publishing failed' | grep '"level":"error"' | grep '"operation":"user_info"'
\`\`\`

More: [elsewhere](../lag.md).
`;

const problemsOf = (text: string): string[] => runbookProblems(parseRunbook('page', text), context);

describe('problems of a runbook', () => {
  it('are none on a complete page', () => {
    expect(problemsOf(good)).toEqual([]);
  });

  it.each([
    ['another heading', good.replace('## If not', '## Mitigation'), 'the headings are not'],
    ['an empty section', good.replace('- Nothing.', ''), 'Expected is empty'],
    ['an unknown metric', good.replace('max(a)', 'max(c)'), 'no rule or dashboard uses the metric c'],
    ['text that is not PromQL', good.replace('max(a)', 'max(a'), 'not PromQL'],
    ['a panel that does not exist', good.replace('panel "p"', 'panel "q"'), 'there is no dashboard "d", panel "q"'],
    ['a query that is not the panel’s', good.replace('max(a)', 'min(a)'), 'the query below is not that of'],
    ['a panel without a query', good.replace(/```promql\nmax\(a\)\n```/, ''), 'is named without its query'],
    ['an end that is not the alert’s', good.replace('max(b) > 1', 'max(b) > 2'), 'has not the query of the alert'],
    ['an end without a command', good.replace(/```sh\n[^`]+```/, ''), 'Over when has no command'],
    [
      'a log line that no service writes',
      good.replace('publishing failed', 'publishing failed|gone'),
      'no service logs "gone"',
    ],
    [
      'a log line that no service writes, of any case',
      good.replace("-E 'publishing failed'", "-i 'gone'"),
      'no service logs "gone"',
    ],
    [
      'a field that no service logs',
      good.replace('"operation":"user_info"', '"operation":"gone"'),
      'no service logs "operation":"gone"',
    ],
    [
      'a script that the shell of operators does not have',
      good.replace('npm run podium -- status', 'npm run competition:rebuild'),
      'does not have "npm run competition:rebuild"',
    ],
    [
      'a link in the middle',
      good.replace('Do it.', 'See [lag](../lag.md).'),
      'If not sends the reader to another page',
    ],
  ])('name %s', (_, text, problem) => {
    expect(problemsOf(text).join()).toContain(problem);
  });
});

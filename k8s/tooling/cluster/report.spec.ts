import { formatTable } from './report';

describe('report', () => {
  it('shows checks as lines and deployments as columns', () => {
    const rows = [
      { check: 'Applied', of: 'production', milliseconds: 7100, isPassed: true },
      { check: 'Applied', of: 'test', milliseconds: 600, isPassed: false },
      { check: 'Pods up', of: 'test', milliseconds: 21_000, isPassed: true },
    ];
    expect(formatTable(rows, ['production', 'test'])).toBe(
      [
        '         production          test',
        'Applied       7.1 s  failed 0.6 s',
        'Pods up                    21.0 s',
      ].join('\n'),
    );
  });
});

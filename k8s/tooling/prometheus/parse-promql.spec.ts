import { selectorsOf, withMatchers } from './parse-promql';

describe('selectors of a query', () => {
  it('are found with their matchers and the labels of the aggregations around them', () => {
    const query =
      'sum by (platform, le) (rate(a_total{outcome!~"x|y", platform="p"}[5m] offset 1d)) / on (platform) max_over_time(b[10m:1m]) > 0.5';
    expect(selectorsOf(query)).toMatchObject([
      {
        metric: 'a_total',
        matchers: [
          { label: 'outcome', operator: '!~', value: 'x|y' },
          { label: 'platform', operator: '=', value: 'p' },
        ],
        groupedBy: ['platform', 'le'],
      },
      { metric: 'b', matchers: [], groupedBy: [] },
    ]);
  });

  it('get further matchers in every position', () => {
    expect(withMatchers('rate(a[5m]) / sum(b{c="d"}) + x{}', 'n="$n"')).toBe(
      'rate(a{n="$n"}[5m]) / sum(b{c="d",n="$n"}) + x{n="$n"}',
    );
  });

  it.each(['sum(', 'rate(a[5m]', 'a{b=}', 'sum by (a rate(b)'])('are not read from %s', (text) => {
    expect(() => selectorsOf(text)).toThrow('not PromQL');
  });
});

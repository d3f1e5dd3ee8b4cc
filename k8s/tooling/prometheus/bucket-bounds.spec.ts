import { queriesInUse } from '../checks/queries-in-use';
import { storedByPrometheus3, upTo, versionDependentMatchers } from './bucket-bounds';

describe('bounds of buckets', () => {
  it.each(['a{le="1"}', 'a{le="1.0"}', 'a{le!="5"}', 'a{le=~"1|5"}', 'a{le=~"0.5|5"}', 'a{quantile="1"}'])(
    'depend on the version of Prometheus in %s',
    (query) => expect(versionDependentMatchers(`sum(rate(${query}[5m]))`)).toEqual([query]),
  );

  it.each([`a{${upTo(5)}}`, 'a{le="0.25"}', 'a{le="+Inf"}', 'a{le=~"0.25|0.5"}', 'a{status="200"}', 'sum by (le) (a)'])(
    'do not in %s',
    (query) => expect(versionDependentMatchers(query)).toEqual([]),
  );

  it('are found in the form of every version, in all rules, dashboards and runbooks', () => {
    const problems = queriesInUse().flatMap(({ place, expr }) =>
      versionDependentMatchers(expr).map((matcher) => `${place}: ${matcher}`),
    );
    expect(problems).toEqual([]);
  });

  it('are whole numbers in the form of Prometheus 3', () => {
    expect(storedByPrometheus3('a{b="1",le="1"}')).toBe('a{b="1",le="1.0"}');
    expect(storedByPrometheus3('a{le="0.25"} b{le="+Inf",le_="2"}')).toBe('a{le="0.25"} b{le="+Inf",le_="2"}');
    expect(() => upTo(0.25)).toThrow('as it is');
  });
});

import { Health } from '../health';
import { unlessStopping } from './unless-stopping';

describe('a failure of a part', () => {
  const aborted = Object.assign(new Error('aborted'), { name: 'AbortError' });
  const other = new Error('other');

  it('is reported while the process runs, and once it stops only logged, unless the stop has broken it off', () => {
    const [reported, warned]: [Error[], unknown[]] = [[], []];
    const health = new Health();
    const fatal = unlessStopping((error) => reported.push(error), {
      health,
      logger: { warn: (fields: object) => void warned.push(fields) },
    });
    fatal(aborted);
    fatal(other);
    expect(reported).toEqual([aborted, other]);
    health.drain();
    fatal(aborted);
    fatal(other);
    expect(reported).toHaveLength(2);
    expect(warned).toEqual([{ err: other }]);
  });
});

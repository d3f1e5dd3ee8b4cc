import { setImmediate } from 'node:timers/promises';
import { Queryable } from '@podium/runtime/postgres';
import { tablesOf } from './table-set';
import { TableSetVersions } from './table-set-versions';

describe('versions of a table set', () => {
  const tables = tablesOf('a');

  it('are read once for concurrent callers, and again for later ones', async () => {
    const queries: ((version: string) => void)[] = [];
    const versions = new TableSetVersions(answeringLater(queries));
    const early = [versions.current(tables), versions.current(tables)];
    await setImmediate();
    expect(queries).toHaveLength(1);
    const late = [versions.current(tables), versions.current(tables)];
    await setImmediate();
    expect(queries).toHaveLength(1);
    queries[0]('before');
    expect(await Promise.all(early)).toEqual(['before', 'before']);
    await setImmediate();
    expect(queries).toHaveLength(2);
    queries[1]('after');
    expect(await Promise.all(late)).toEqual(['after', 'after']);
  });

  it('are read again after a failed query', async () => {
    let isAway = true;
    const versions = new TableSetVersions({
      query: async () => {
        if (isAway) throw new Error('away');
        return { rows: [{ version: 'here' } as never], rowCount: 1 };
      },
    });
    await expect(versions.current(tables)).rejects.toThrow('away');
    isAway = false;
    expect(await versions.current(tables)).toBe('here');
  });
});

function answeringLater(queries: ((version: string) => void)[]): Queryable {
  return {
    query: () =>
      new Promise((resolve) => queries.push((version) => resolve({ rows: [{ version } as never], rowCount: 1 }))),
  };
}

import { setImmediate } from 'node:timers/promises';
import { Queryable } from '@podium/runtime/postgres';
import { tablesOf } from '../projection/table-set';
import { SetStates } from './set-states';

describe('states of a set of tables', () => {
  const tables = tablesOf('a');

  it('are looked at once for all who ask before the look begins, and anew for who asks after', async () => {
    const looks: ((state: string) => void)[] = [];
    const states = new SetStates(answeringLater(looks));
    const early = [states.current(tables), states.current(tables)];
    await setImmediate();
    expect(looks).toHaveLength(1);
    const late = [states.current(tables), states.current(tables)];
    await setImmediate();
    expect(looks).toHaveLength(1);
    looks[0]('before');
    expect(await Promise.all(early)).toEqual(['before', 'before']);
    await setImmediate();
    expect(looks).toHaveLength(2);
    looks[1]('after');
    expect(await Promise.all(late)).toEqual(['after', 'after']);
  });

  it('are looked at again after a look that failed', async () => {
    let isAway = true;
    const states = new SetStates({
      query: async () => {
        if (isAway) throw new Error('away');
        return { rows: [{ state: 'here' } as never], rowCount: 1 };
      },
    });
    await expect(states.current(tables)).rejects.toThrow('away');
    isAway = false;
    expect(await states.current(tables)).toBe('here');
  });
});

function answeringLater(looks: ((state: string) => void)[]): Queryable {
  return {
    query: () => new Promise((resolve) => looks.push((state) => resolve({ rows: [{ state } as never], rowCount: 1 }))),
  };
}

import { Queryable } from '@podium/runtime/postgres';
import { takeLock } from './take-lock';

/** A session that gets the lock at its n-th attempt. */
function sessionWithLockAt(attempt: number): Queryable {
  let asked = 0;
  const query = async () => ({ rows: [{ taken: ++asked >= attempt }], rowCount: 1 });
  return { query } as unknown as Queryable;
}

describe('the lock of migrations', () => {
  it.each([
    ['is taken without a word when it is free', 1, 0],
    ['is waited for with one, however long', 5, 1],
  ])('%s', async (_what, attempt, calls) => {
    const onWait = jest.fn();
    await takeLock(sessionWithLockAt(attempt), onWait, 1);
    expect(onWait).toHaveBeenCalledTimes(calls);
  });
});

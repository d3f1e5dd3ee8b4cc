import { randomUUID } from 'node:crypto';
import { secretHash } from '@podium/partner-check/protocol/authorization-request';
import { queryable } from '@podium/runtime/postgres';
import { PoolClient } from 'pg';
import { LinkParts } from '../../test/link-parts';
import { CheckReturns } from './check-returns';
import { bindBrowser, insertCheck, pollReturn, putLogIn } from './partner-check.store';

describe('CheckReturns while Postgres is slow', () => {
  const browserSecret = 'secret-of-the-browser';
  const entryHash = Buffer.from('entry');
  let parts: LinkParts;
  let returns: CheckReturns;
  let key: { checkId: string; integrationId: string };

  beforeAll(async () => {
    parts = await LinkParts.start();
    returns = new CheckReturns(queryable(parts.pool), parts.vault, parts.logger);
  });

  beforeEach(async () => {
    const { integrationId } = await parts.integration();
    key = { checkId: randomUUID(), integrationId };
    const db = queryable(parts.pool);
    await insertCheck(db, { ...key, integrationVersion: 1, startedBy: 'spec' });
    await putLogIn(db, key.checkId, {
      ...{ number: 1, purpose: 'spec', urlEnc: 'sealed', stateHash: secretHash('state-of-the-check') },
      ...{ entryEnc: 'sealed', entryHash },
    });
    await bindBrowser(db, { entryHash, browserHash: secretHash(browserSecret) });
  });

  afterAll(() => parts.stop());

  const take = (): Promise<string> => returns.take(key.integrationId, '?code=c&state=of-a-user', browserSecret);
  const taken = () => pollReturn(queryable(parts.pool), key.checkId);

  it('takes a redirect of the browser that has opened the log-in', async () => {
    expect(await take()).toBe('taken');
    expect(await taken()).not.toBeNull();
  });

  it('leaves a redirect to the flows of users after two seconds, and does not take it later', async () => {
    const holder = await locked();
    try {
      const startedMs = performance.now();
      // Without its limit it would wait for the lock, which is held until after it.
      expect(await take()).toBe('not_of_a_check');
      expect(performance.now() - startedMs).toBeGreaterThan(1_900);
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
    // Without the lock the look-up goes on.
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await taken()).toBeNull();
  });

  async function locked(): Promise<PoolClient> {
    const holder = await parts.pool.connect();
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE linkage.partner_checks IN ACCESS EXCLUSIVE MODE');
    return holder;
  }
});

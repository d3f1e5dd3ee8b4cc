import { inTransaction } from '@podium/runtime/postgres';
import { StrictPartnerServer } from '@podium/simulated-partner/strict/strict-partner-server';
import { freshName } from '@podium/testing';
import { LinkInstance, linkInstance } from '../../test/link-instance';
import { LinkParts } from '../../test/link-parts';
import { StrictAccounts } from '../../test/strict-accounts';
import { Link } from './link';
import { saveUnlinked } from './link.store';

describe('an unlink at an OpenID provider that keeps one grant per account and client', () => {
  const strict = new StrictPartnerServer();
  let parts: LinkParts;
  let instance: LinkInstance;
  let accounts: StrictAccounts;
  let link: Link;

  beforeAll(async () => {
    strict.keepsGrants = true;
    await strict.start();
    parts = await LinkParts.start();
    const { pool, vault, logger } = parts;
    instance = linkInstance({ pool, vault, logger, partnerHost: strict.host, instance: 'one' });
    accounts = await StrictAccounts.at(strict, parts, { revocation_path: '/oauth2/revoke' });
  });

  beforeEach(async () => {
    const sub = freshName('sub');
    link = await parts.linkWith(accounts.partner, sub, await accounts.tokensOf(sub));
    await inTransaction(parts.pool, (tx) => saveUnlinked(tx, link.linkId));
  });

  afterAll(async () => {
    await accounts.stop();
    await instance.stop();
    await parts.stop();
    await strict.stop();
  });

  it('ends the grant', async () => {
    await instance.maintain();
    expect(strict.grants.get(link.sub)?.isRevoked).toBe(true);
  });

  it.each([
    ['the same user', () => link.userId],
    ['another user', () => freshName('user')],
  ])('does not end the grant of a link that %s makes before it is revoked', async (_name, userOf) => {
    const again = await parts.linkAgain(link, await accounts.tokensOf(link.sub), userOf());
    await instance.maintain();
    await parts.expire(again);
    expect(await instance.accessTokens.accessTokenFor(again.linkId)).toMatchObject({ ok: true });
    expect(await instance.checks.check(again.linkId)).toBe('current');
    expect(strict.grants.get(link.sub)).toEqual({ rotations: 1, isRevoked: false });
  });
});

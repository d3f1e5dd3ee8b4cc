import { randomBytes } from 'node:crypto';
import { inTransaction, queryable } from '@podium/runtime/postgres';
import { StrictPartnerServer } from '@podium/simulated-partner/strict/strict-partner-server';
import { freshName } from '@podium/testing';
import { LinkInstance, linkInstance } from '../../test/link-instance';
import { LinkParts } from '../../test/link-parts';
import { StrictAccounts } from '../../test/strict-accounts';
import { insertFlow, takeFlow } from './flow.store';
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
  });

  afterAll(async () => {
    await accounts.stop();
    await instance.stop();
    await parts.stop();
    await strict.stop();
  });

  const unlink = () => inTransaction(parts.pool, (tx) => saveUnlinked(tx, link.linkId));

  it('ends the grant', async () => {
    await unlink();
    await instance.maintain();
    expect(strict.grants.get(link.sub)?.isRevoked).toBe(true);
  });

  it.each([
    ['the same user', () => link.userId],
    ['another user', () => freshName('user')],
  ])('does not end the grant of a link that %s makes before it is revoked', async (_name, userOf) => {
    await unlink();
    const again = await parts.linkAgain(link, await accounts.tokensOf(link.sub), userOf());
    await instance.maintain();
    await expectUsable(again);
  });

  it('does not end the grant of a link that is stored after it, by a callback under way', async () => {
    const { userId, integrationId } = link;
    const [stateHash, sessionHash, browserHash] = [1, 2, 3].map(() => randomBytes(32));
    const flow = {
      ...{ stateHash, sessionHash, browserHash, userId, integrationId, originVersion: 1 },
      ...{ codeVerifierEnc: null, returnTo: null, redirectUri: null, testLinkId: null },
    };
    const db = queryable(parts.pool);
    await insertFlow(db, flow, { lifetimeS: 600, openMax: 5 });
    expect(await takeFlow(db, flow)).not.toBeNull();
    const tokens = await accounts.tokensOf(link.sub);
    await unlink();
    await instance.maintain();
    await expectUsable(await parts.linkAgain(link, tokens));
  });

  async function expectUsable(again: Link): Promise<void> {
    await parts.expire(again);
    expect(await instance.accessTokens.accessTokenFor(again.linkId)).toMatchObject({ ok: true });
    expect(await instance.checks.check(again.linkId)).toBe('current');
    expect(strict.grants.get(link.sub)).toEqual({ rotations: 1, isRevoked: false });
  }
});

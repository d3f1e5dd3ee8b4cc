import { Registry } from '@podium/runtime/metrics';
import { inTransaction, queryable } from '@podium/runtime/postgres';
import { freshName } from '@podium/testing';
import { LinkInstance } from '../../test/link-instance';
import { LinkParts } from '../../test/link-parts';
import { PartnerActivity } from '../activity/partner-activity';
import { secretHash } from './authorization-url';
import { endCallback, takeFlow } from './flow.store';
import { Link } from './link';
import { LinkMetrics } from './link-metrics';
import { saveUnlinked } from './link.store';
import { PartnerIntegrationStore } from './partner-integration.store';
import { RedirectBases } from './redirect-bases';
import { Revocation, claimDueRevocations, queueUnstored } from './revocation.store';
import { StartLink } from './start-link';

describe('after an unlink', () => {
  let parts: LinkParts;
  let instances: LinkInstance[];
  let link: Link;

  beforeAll(async () => {
    parts = await LinkParts.start();
    instances = [parts.instance('one'), parts.instance('two')];
  });

  beforeEach(async () => {
    parts.partner.revokeAnswer = null;
    parts.partner.endsAllGrants = false;
    parts.partner.seen.length = 0;
    await parts.pool.query(`DELETE FROM linkage.token_revocations`);
  });

  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.stop()));
    await parts.stop();
  });

  async function linked(change: { refreshToken?: null } = {}, path: string | null = '/oauth2/revoke'): Promise<void> {
    const integration = await parts.integration();
    await parts.pool.query(
      `UPDATE linkage.integrations SET profile = profile || jsonb_build_object('revocation_path', $2::text)
       WHERE integration_id = $1`,
      [integration.integrationId, path],
    );
    link = await parts.link(integration, change);
  }
  const unlink = () => inTransaction(parts.pool, (tx) => saveUnlinked(tx, link.linkId));
  const unlinked = (...how: Parameters<typeof linked>) => linked(...how).then(unlink);
  const maintain = () => Promise.all(instances.map((instance) => instance.maintain()));
  const makeDue = (requested = 'requested_at') =>
    parts.pool.query(`UPDATE linkage.token_revocations SET due_at = now(), requested_at = ${requested}`);
  const queued = async () =>
    (await parts.pool.query(`SELECT 1 FROM linkage.token_revocations WHERE link_id = $1`, [link.linkId])).rowCount;
  const asked = () => parts.partner.seen.filter(({ path }) => path === '/oauth2/revoke');

  it('a process that was paused since it looked whether the account is linked sends nothing, and looks again later', async () => {
    await unlinked();
    const query = parts.pool.query.bind(parts.pool) as (text: string, values?: unknown[]) => Promise<unknown>;
    const nowMs = performance.now.bind(performance);
    jest.spyOn(parts.pool, 'query').mockImplementation((async (text: string, values?: unknown[]) => {
      const answer = await query(text, values);
      if (text.includes('"isLinked"')) jest.spyOn(performance, 'now').mockImplementation(() => nowMs() + 60_000);
      return answer;
    }) as never);
    await instances[0].maintain().finally(() => jest.restoreAllMocks());
    expect([asked(), await queued()]).toEqual([[], 1]);
    await makeDue();
    await maintain();
    expect([asked().length, await queued()]).toEqual([1, 0]);
  });

  it('the refresh token is revoked once, by one of two instances', async () => {
    await unlinked();
    expect(await queued()).toBe(1);
    await maintain();
    expect(asked().map(({ form }) => form.get('token_type_hint'))).toEqual(['refresh_token']);
    expect(parts.partner.isAlive(link.sub)).toBe(false);
    expect(await queued()).toBe(0);
  });

  it('the access token is revoked where there is no other', async () => {
    await unlinked({ refreshToken: null });
    await maintain();
    expect(asked().map(({ form }) => form.get('token_type_hint'))).toEqual(['access_token']);
    expect(parts.partner.isAlive(link.sub)).toBe(false);
  });

  it('nothing is kept or sent where the partner has no revocation', async () => {
    await unlinked({}, null);
    expect(await queued()).toBe(0);
    await maintain();
    expect(asked()).toEqual([]);
  });

  it('a partner that fails is asked again until it confirms', async () => {
    await unlinked();
    parts.partner.revokeAnswer = { status: 503, body: '' };
    await maintain();
    await maintain();
    expect(asked().length).toBe(1);
    parts.partner.revokeAnswer = null;
    await makeDue();
    await maintain();
    expect(asked().length).toBe(2);
    expect(await queued()).toBe(0);
  });

  it('after a day it is given up, and reported', async () => {
    await unlinked();
    parts.partner.revokeAnswer = { status: 400, body: { error: 'unsupported_token_type' } };
    await makeDue(`now() - interval '25 hours'`);
    await maintain();
    expect(await queued()).toBe(0);
    expect(parts.logged.join()).toContain('could not be revoked');
    const metrics = await Promise.all(instances.map(({ registry }) => registry.metrics()));
    expect(metrics.join()).toMatch(/linkage_token_revocations_total\{[^}]*outcome="given_up"\} 1/);
  });

  it('a token that no key decrypts is not sent, and given up after a day too', async () => {
    await unlinked();
    await parts.pool.query(`UPDATE linkage.token_revocations SET refresh_token_enc = 'v1.lost.${'A'.repeat(48)}'`);
    await maintain();
    expect([await queued(), asked()]).toEqual([1, []]);
    expect(parts.logged.join()).toContain('a token to revoke cannot be decrypted');
    await makeDue(`now() - interval '25 hours'`);
    await maintain();
    expect([await queued(), asked()]).toEqual([0, []]);
  });

  it('no token is sent to another server than that which issued it', async () => {
    await unlinked();
    await parts.pool.query(`UPDATE linkage.integrations SET origin_version = 2 WHERE integration_id = $1`, [
      link.integrationId,
    ]);
    await maintain();
    expect(asked()).toEqual([]);
    expect(await queued()).toBe(0);
  });

  it('what is queued is revoked although the link was erased meanwhile', async () => {
    await unlinked();
    await parts.pool.query(`DELETE FROM linkage.links WHERE link_id = $1`, [link.linkId]);
    await maintain();
    expect([await queued(), parts.partner.isAlive(link.sub)]).toEqual([0, false]);
  });

  it('the refresh token is revoked although the partner is paused', async () => {
    await unlinked();
    await parts.pool.query(`UPDATE linkage.integrations SET status = 'paused' WHERE integration_id = $1`, [
      link.integrationId,
    ]);
    await maintain();
    expect([await queued(), parts.partner.isAlive(link.sub)]).toEqual([0, false]);
  });

  /** The claimed revocation of the link, as it waits in its lane. */
  async function claimed(): Promise<Revocation> {
    const claim = { busy: [], only: null, perPartner: 20, againInS: 300 };
    const revocations = await claimDueRevocations(queryable(parts.pool), claim);
    return revocations.find(({ linkId }) => linkId === link.linkId)!;
  }

  describe.each([
    ['the same user', () => link.userId],
    ['another user', () => freshName('user')],
  ])('and a link of the account by %s', (_name, userOf) => {
    const linkAgain = async () => parts.linkAgain(link, await parts.tokensFor(link.sub), userOf());

    beforeEach(async () => {
      await unlinked();
      parts.partner.endsAllGrants = true;
    });

    it('nothing is revoked: the partner may keep one grant per account', async () => {
      await linkAgain();
      expect(await queued()).toBe(0);
      await maintain();
      expect([asked(), parts.partner.isAlive(link.sub)]).toEqual([[], true]);
    });

    it('nothing is revoked that was claimed before', async () => {
      const waiting = await claimed();
      await linkAgain();
      await instances[0].revoker.revoke(waiting);
      expect([asked(), parts.partner.isAlive(link.sub)]).toEqual([[], true]);
    });

    it('nothing is revoked that was queued at the same time', async () => {
      await linkAgain();
      const unstored = { ...link, originVersion: 1, accessTokenEnc: 'sealed', refreshTokenEnc: 'sealed' };
      expect(await queueUnstored(queryable(parts.pool), unstored)).toBe(true);
      await maintain();
      expect([asked(), await queued(), parts.partner.isAlive(link.sub)]).toEqual([[], 0, true]);
    });

    it('what the next unlink queues is revoked', async () => {
      const again = await linkAgain();
      await inTransaction(parts.pool, (tx) => saveUnlinked(tx, again.linkId));
      await maintain();
      expect([asked().length, parts.partner.isAlive(link.sub)]).toEqual([1, false]);
    });
  });

  describe('while the user links again', () => {
    const start = () => {
      const { pool, vault } = parts;
      const rules = { redirectBases: new RedirectBases('https://podium.example', []), returnTo: new Set<string>() };
      const integrations = new PartnerIntegrationStore(queryable(pool), vault);
      const metrics = new LinkMetrics(new Registry());
      const user = { userId: link.userId, sessionId: null };
      const starting = new StartLink(pool, integrations, vault, rules, metrics, new PartnerActivity());
      return starting.start(user, link.integrationId, { browserSecret: null });
    };
    const heldS = async () => {
      const { rows } = await parts.pool.query<{ s: number }>(
        `SELECT extract(epoch FROM due_at - clock_timestamp())::float AS s FROM linkage.token_revocations WHERE link_id = $1`,
        [link.linkId],
      );
      return rows[0].s;
    };

    it('nothing is sent for the time of the flow, also of what was claimed before; then it is', async () => {
      await unlinked();
      const waiting = await claimed();
      await start();
      await instances[0].revoker.revoke(waiting);
      await maintain();
      expect([asked(), await queued()]).toEqual([[], 1]);
      expect(await heldS()).toBeGreaterThan(600);
      await makeDue();
      await maintain();
      expect([await queued(), parts.partner.isAlive(link.sub)]).toEqual([0, false]);
    });

    it('nothing is sent that an unlink queues during the flow or a late refresh after it; then it is', async () => {
      await linked();
      await start();
      await unlink();
      const unstored = { ...link, originVersion: 1, accessTokenEnc: 'sealed', refreshTokenEnc: 'sealed' };
      expect(await queueUnstored(queryable(parts.pool), unstored)).toBe(true);
      await maintain();
      expect([asked(), await queued()]).toEqual([[], 2]);
      expect(await heldS()).toBeGreaterThan(600);
      await parts.pool.query(`DELETE FROM linkage.token_revocations WHERE access_token_enc = 'sealed'`);
      await makeDue();
      await maintain();
      expect([await queued(), parts.partner.isAlive(link.sub)]).toEqual([0, false]);
    });

    it('nothing is sent that an unlink queues during the callback; after it an unlink revokes at once', async () => {
      await linked();
      const { authorizationUrl, browserSecret } = await start();
      const flow = await takeFlow(queryable(parts.pool), {
        stateHash: secretHash(new URL(authorizationUrl).searchParams.get('state') ?? ''),
        integrationId: link.integrationId,
        browserHash: secretHash(browserSecret),
      });
      await unlink();
      await maintain();
      expect([asked(), await queued()]).toEqual([[], 1]);
      expect(await heldS()).toBeGreaterThan(50);
      expect(await heldS()).toBeLessThanOrEqual(60);
      const again = await parts.linkAgain(link, await parts.tokensFor(link.sub));
      await endCallback(queryable(parts.pool), flow!.callbackId);
      expect(again.linkId).toBe(link.linkId);
      await unlink();
      await maintain();
      expect([asked().length, await queued()]).toEqual([1, 0]);
    });

    it('a failure during the flow does not end the hold', async () => {
      await unlinked();
      parts.partner.revokeAnswer = { status: 503, body: '' };
      const waiting = await claimed();
      const { revoker } = instances[0];
      // The flow starts between the last look at the claim and the answer.
      parts.partner.revokeStep = async () => void (await start());
      await revoker.revoke(waiting);
      parts.partner.revokeStep = null;
      expect(asked().length).toBe(1);
      expect(await heldS()).toBeGreaterThan(600);
    });

    it('nothing is held beyond the day after which a revocation is given up', async () => {
      await unlinked();
      await makeDue(`now() - interval '25 hours'`);
      await start();
      expect(await heldS()).toBeLessThan(1);
    });

    it('what is queued of other users is not held', async () => {
      await unlinked();
      const other = await parts.link(link);
      await inTransaction(parts.pool, (tx) => saveUnlinked(tx, other.linkId));
      await start();
      await maintain();
      expect(parts.partner.isAlive(other.sub)).toBe(false);
      expect([await queued(), parts.partner.isAlive(link.sub)]).toEqual([1, true]);
    });
  });
});

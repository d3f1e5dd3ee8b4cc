import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction } from '@podium/runtime/postgres';
import { freshName } from '@podium/testing';
import { LinkInstance } from '../../test/link-instance';
import { LinkParts } from '../../test/link-parts';
import { deleteLinks } from '../erasures/erased-links.store';
import { secretLocations } from '../vault/secret-locations';
import { Link } from './link';
import { saveUnlinked } from './link.store';

describe('a refresh whose answer arrives late', () => {
  let parts: LinkParts;
  let instance: LinkInstance;
  let link: Link;

  beforeAll(async () => {
    parts = await LinkParts.start();
    instance = parts.instance('one');
  });
  beforeEach(() => {
    parts.partner.steps = {};
    parts.partner.seen.length = 0;
  });
  afterAll(async () => {
    await instance.stop();
    await parts.stop();
  });

  async function dueLink(revocationPath: string | null = '/oauth2/revoke'): Promise<void> {
    const integration = await parts.integration();
    await parts.pool.query(
      `UPDATE linkage.integrations SET profile = profile || jsonb_build_object('revocation_path', $2::text)
       WHERE integration_id = $1`,
      [integration.integrationId, revocationPath],
    );
    link = await parts.link(integration);
    await parts.expire(link);
  }

  /** Does this at the given step of a refresh at the partner. */
  async function whileRefreshing(
    work: () => Promise<unknown>,
    step: 'received' | 'rotated' = 'rotated',
  ): Promise<void> {
    let isDone = false;
    parts.partner.steps = {
      [step]: async () => {
        parts.partner.steps = {};
        await work();
        isDone = true;
      },
    };
    await instance.accessTokens.accessTokenFor(link.linkId);
    expect(isDone).toBe(true);
  }

  const unlink = () => inTransaction(parts.pool, (tx) => saveUnlinked(tx, link.linkId));
  const queued = async () =>
    (await parts.pool.query(`SELECT 1 FROM linkage.token_revocations WHERE link_id = $1`, [link.linkId])).rowCount;

  /** Makes the link again, with a new grant; returns its access token. */
  async function linkAgain(): Promise<string> {
    const tokens = await parts.tokensFor(link.sub);
    await parts.linkAgain(link, tokens);
    return tokens.accessToken;
  }

  async function storedToken(): Promise<string> {
    const { rows } = await parts.pool.query<{ sealed: string }>(
      `SELECT access_token_enc AS sealed FROM linkage.link_tokens WHERE link_id = $1`,
      [link.linkId],
    );
    return parts.vault.open(rows[0].sealed, secretLocations.accessToken(link.linkId));
  }

  it('after an unlink: the new pair is revoked, as the partner has replaced the one of the unlink', async () => {
    await dueLink();
    await whileRefreshing(unlink);
    expect(await queued()).toBe(2);
    await instance.maintain();
    expect([await queued(), parts.partner.isAlive(link.sub)]).toEqual([0, false]);
    expect(parts.logged.join()).toContain('"pair":"to_be_revoked"');
  });

  it('after an erasure: the new pair is revoked too', async () => {
    await dueLink();
    await whileRefreshing(() => inTransaction(parts.pool, (tx) => deleteLinks(tx, [link], new Date())));
    expect(await queued()).toBe(2);
    await instance.maintain();
    expect([await queued(), parts.partner.isAlive(link.sub)]).toEqual([0, false]);
  });

  it('nothing is queued for a partner without revocation, or for another server than that which issued the pair', async () => {
    await dueLink(null);
    await whileRefreshing(unlink);
    expect(await queued()).toBe(0);
    await dueLink();
    await whileRefreshing(async () => {
      await unlink();
      await parts.pool.query(`DELETE FROM linkage.token_revocations WHERE link_id = $1`, [link.linkId]);
      await parts.pool.query(`UPDATE linkage.integrations SET origin_version = 2 WHERE integration_id = $1`, [
        link.integrationId,
      ]);
    });
    expect(await queued()).toBe(0);
  });

  it('nothing more is queued where the partner keeps the refresh token: that of the unlink ends the grant', async () => {
    await dueLink();
    parts.partner.rotates = false;
    await whileRefreshing(unlink);
    parts.partner.rotates = true;
    expect(await queued()).toBe(1);
    await instance.maintain();
    expect(parts.partner.isAlive(link.sub)).toBe(false);
  });

  it('after the link was made again: its new tokens stay, and neither the late pair nor the former one is revoked', async () => {
    await dueLink();
    let accessToken = '';
    await whileRefreshing(async () => {
      await unlink();
      accessToken = await linkAgain();
    });
    expect([await storedToken(), await queued(), await parts.state(link)]).toEqual([accessToken, 0, 'ready']);
    await instance.maintain();
    expect(await instance.checks.check(link.linkId)).toBe('current');
  });

  it('after another user has linked the account: the late pair is not revoked', async () => {
    await dueLink();
    parts.partner.endsAllGrants = true;
    await whileRefreshing(async () => {
      await unlink();
      await parts.linkAgain(link, await parts.tokensFor(link.sub), freshName('user'));
    });
    expect(await queued()).toBe(0);
    await instance.maintain();
    parts.partner.endsAllGrants = false;
    expect(parts.partner.isAlive(link.sub)).toBe(true);
  });

  it('that the grant has ended: a link made again since is not affected', async () => {
    await dueLink();
    let accessToken = '';
    const again = async (): Promise<void> => {
      await unlink();
      parts.partner.revoke(link.sub);
      accessToken = await linkAgain();
    };
    await whileRefreshing(again, 'received');
    expect([await storedToken(), await parts.state(link)]).toEqual([accessToken, 'ready']);
  });

  it('after its user has stopped waiting: the process waits for the new pair before it stops', async () => {
    await dueLink();
    await parts.pool.query(`UPDATE linkage.links SET user_info_at = now() - interval '1 hour' WHERE link_id = $1`, [
      link.linkId,
    ]);
    let answer: (() => void) | null = null;
    parts.partner.steps = { rotated: () => new Promise((resolve) => (answer = resolve)) };
    const asked = instance.checks.checkNow(link);
    while (answer === null) await sleep(5);
    const journalAtStop = instance.checks.idle().then(() => parts.journal(link));
    setTimeout(answer, 100);
    expect(await journalAtStop).toEqual(['refreshed']);
    await asked;
    await instance.checks.idle();
  });
});

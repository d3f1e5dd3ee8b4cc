import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction } from '@podium/runtime/postgres';
import { LinkInstance } from '../../test/link-instance';
import { LinkParts } from '../../test/link-parts';
import { lockLink, saveLinked, saveUnlinked } from './link.store';
import { sealTokens } from './seal-tokens';
import { putTokens } from './token.store';

type TestLink = Awaited<ReturnType<LinkParts['link']>>;

describe('a refresh whose link is ended and made again before its claim', () => {
  let parts: LinkParts;
  let instance: LinkInstance;

  beforeAll(async () => {
    parts = await LinkParts.start();
    instance = parts.instance('one');
  });

  afterAll(async () => {
    await instance.stop();
    await parts.stop();
  });

  it('does not send the token of the former grant, and uses the new one', async () => {
    const link = await parts.link(await parts.integration());
    await parts.expire(link);
    const { asked, accessToken } = await madeAgain(link, () => instance.accessTokens.accessTokenFor(link.linkId));
    expect(await asked).toMatchObject({ ok: true, accessToken });
    expect(parts.partner.seen).toEqual([]);
    expect(await parts.journal(link)).toEqual([]);
  });

  it('does not mark the new link because the former grant has no refresh token', async () => {
    const link = await parts.link(await parts.integration(), { refreshToken: null });
    const former = await instance.accessTokens.accessTokenFor(link.linkId);
    if (!former.ok) throw new Error(former.reason);
    const { asked, accessToken } = await madeAgain(link, () =>
      instance.accessTokens.accessTokenFor(link.linkId, former),
    );
    expect(await asked).toMatchObject({ ok: true, accessToken });
    expect(await parts.state(link)).toBe('linking');
  });

  it('does not mark the new link because the former grant is of another server of the partner', async () => {
    const link = await parts.link(await parts.integration());
    await parts.pool.query(`UPDATE linkage.integrations SET origin_version = 2 WHERE integration_id = $1`, [
      link.integrationId,
    ]);
    const { asked, accessToken } = await madeAgain(link, () => instance.accessTokens.accessTokenFor(link.linkId), 2);
    expect(await asked).toMatchObject({ ok: true, accessToken });
    expect(await parts.state(link)).toBe('linking');
  });

  /** Ends the link and makes it again after `ask` has read its tokens, while it waits for the link. */
  async function madeAgain<T>(
    link: TestLink,
    ask: () => Promise<T>,
    originVersion = 1,
  ): Promise<{ asked: Promise<T>; accessToken: string }> {
    const tokens = await parts.tokensFor(link.sub);
    parts.partner.seen.length = 0;
    const asked = await inTransaction(parts.pool, async (tx) => {
      await lockLink(tx, link.linkId);
      const asking = ask();
      const waits = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
      while ((await parts.pool.query(waits)).rowCount === 0) await sleep(10);
      await saveUnlinked(tx, link.linkId);
      await saveLinked(tx, link);
      await putTokens(tx, link.linkId, sealTokens(parts.vault, link.linkId, tokens, 3600), {
        originVersion,
        exchangedAgoS: 0,
      });
      return { asking };
    });
    return { asked: asked.asking, accessToken: tokens.accessToken };
  }
});

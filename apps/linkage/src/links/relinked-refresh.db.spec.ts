import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction } from '@podium/runtime/postgres';
import { LinkInstance } from '../../test/link-instance';
import { LinkParts } from '../../test/link-parts';
import { lockLink, saveLinked, saveUnlinked } from './link.store';
import { sealTokens } from './seal-tokens';
import { putTokens } from './token.store';

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
    const tokens = await parts.tokensFor(link.sub);
    parts.partner.seen.length = 0;
    let asked: Promise<unknown> = Promise.resolve();
    await inTransaction(parts.pool, async (tx) => {
      await lockLink(tx, link.linkId);
      // It has read the former tokens, and waits for the link.
      asked = instance.accessTokens.accessTokenFor(link.linkId);
      const waits = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
      while ((await parts.pool.query(waits)).rowCount === 0) await sleep(10);
      await saveUnlinked(tx, link.linkId);
      await saveLinked(tx, link);
      await putTokens(tx, link.linkId, sealTokens(parts.vault, link.linkId, tokens, 3600), 1);
    });
    expect(await asked).toMatchObject({ ok: true, accessToken: tokens.accessToken });
    expect(parts.partner.seen).toEqual([]);
    expect(await parts.journal(link)).toEqual([]);
  });
});

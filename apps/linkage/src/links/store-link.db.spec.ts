import { Pool, queryable } from '@podium/runtime/postgres';
import { freshName } from '@podium/testing';
import { LinkParts } from '../../test/link-parts';
import { secretLocations } from '../vault/secret-locations';
import { Link } from './link';
import { PartnerIntegration, PartnerIntegrationStore } from './partner-integration.store';
import { BegunLink, StoreLink } from './store-link';
import { readTokens } from './token.store';

const tokens = { accessToken: 'canary-access', refreshToken: 'canary-refresh', expiresInS: null };

describe('the link of a callback whose code is used', () => {
  let parts: LinkParts;
  let partner: PartnerIntegration;
  let pair: BegunLink;

  beforeAll(async () => {
    parts = await LinkParts.start();
    const { integrationId } = await parts.integration();
    partner = (await new PartnerIntegrationStore(queryable(parts.pool), parts.vault).get(integrationId))!;
  });
  beforeEach(() => {
    const { integrationId, platform, organizerId } = partner;
    const [userId, sub] = [freshName('user'), freshName('sub')];
    pair = {
      integrationId,
      platform,
      organizerId,
      userId,
      sub,
      nickname: 'nick',
      begunAt: new Date(),
      exchangedAtMs: performance.now(),
    };
  });
  afterAll(() => parts.stop());

  /** Stores the link over connections of which the first ones fail in these ways; returns how many were asked for. */
  async function storeOver(...failures: ('refused' | 'reset after the commit')[]): Promise<number> {
    let asked = 0;
    const connect = async () => {
      asked++;
      const failure = failures.shift();
      if (failure === 'refused') throw failed('ECONNREFUSED');
      const client = await parts.pool.connect();
      if (failure === undefined) return client;
      const query = async (text: string, values?: unknown[]) => {
        const result = await client.query(text, values);
        if (text === 'COMMIT') throw failed('ECONNRESET');
        return result;
      };
      return { query, release: (broken?: Error) => client.release(broken) };
    };
    const pool = Object.create(parts.pool, { connect: { value: connect } }) as Pool;
    const stored = await new StoreLink(pool, parts.vault).store(partner, pair, tokens);
    expect(stored).toMatchObject({ userId: pair.userId, sub: pair.sub, state: 'linking' });
    return asked;
  }

  const rows = async () =>
    (
      await parts.pool.query<{ id: string }>(`SELECT link_id AS id FROM linkage.links WHERE user_id = $1`, [
        pair.userId,
      ])
    ).rows;

  it.each([
    ['is stored once Postgres is back', ['refused', 'refused'] as const, 3],
    ['is stored once when a commit took effect without a response', ['reset after the commit'] as const, 2],
  ])('%s', async (_name, failures, connections) => {
    expect(await storeOver(...failures)).toBe(connections);
    const [{ id }, ...others] = await rows();
    expect(others).toEqual([]);
    const { refreshTokenEnc } = (await readTokens(queryable(parts.pool), id))!;
    expect(parts.vault.open(refreshTokenEnc!, secretLocations.refreshToken(id))).toBe('canary-refresh');
  });

  describe('that another callback of the same account has finished', () => {
    const earlier = () => ({ ...pair, exchangedAtMs: pair.exchangedAtMs - 1_000 });
    const store = async (of: BegunLink, refreshToken: string, at = partner): Promise<Link> => {
      const stored = await new StoreLink(parts.pool, parts.vault).store(at, of, { ...tokens, refreshToken });
      if (typeof stored === 'string') throw new Error(stored);
      return stored;
    };
    const refreshToken = async ({ linkId }: Link): Promise<string> => {
      const { refreshTokenEnc } = (await readTokens(queryable(parts.pool), linkId))!;
      return parts.vault.open(refreshTokenEnc!, secretLocations.refreshToken(linkId));
    };

    it('keeps the tokens of the later exchange, which may have ended the others', async () => {
      const link = await store(pair, 'later');
      expect(await store(earlier(), 'earlier')).toEqual(link);
      expect(await refreshToken(link)).toBe('later');
      expect(await parts.published(link)).toEqual(['linking']);
    });

    it('gets the tokens of the later exchange', async () => {
      const link = await store(earlier(), 'earlier');
      await store(pair, 'later');
      expect(await refreshToken(link)).toBe('later');
    });

    it.each(['unlinked', 'needs_reauth'])('gets the tokens of an earlier exchange when it is %s', async (state) => {
      const link = await store(pair, 'later');
      await parts.pool.query(`UPDATE linkage.links SET state = $2 WHERE link_id = $1`, [link.linkId, state]);
      expect(await store(earlier(), 'earlier')).toMatchObject({ linkId: link.linkId, state: 'linking' });
      expect(await refreshToken(link)).toBe('earlier');
    });

    it('gets the tokens of an earlier exchange at a server that replaced the one of the later exchange', async () => {
      const link = await store(pair, 'later');
      await store(earlier(), 'earlier', { ...partner, originVersion: partner.originVersion + 1 });
      expect(await refreshToken(link)).toBe('earlier');
    });
  });

  it('is given up at once when Postgres refuses what it has', async () => {
    pair = { ...pair, nickname: 'a\0b' };
    await expect(storeOver()).rejects.toThrow(/invalid byte sequence/);
    expect(await rows()).toEqual([]);
  });
});

function failed(code: string): Error {
  return Object.assign(new Error(`the connection failed: ${code}`), { code });
}

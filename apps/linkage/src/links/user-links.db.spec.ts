import { randomUUID } from 'node:crypto';
import { freshName } from '@podium/testing';
import { queryable } from '@podium/runtime/postgres';
import { LinkInstance } from '../../test/link-instance';
import { LinkParts } from '../../test/link-parts';
import { Link } from './link';
import { PartnerIntegrationStore } from './partner-integration.store';
import { UserLinks } from './user-links';

describe('UserLinks with more partners than a list has', () => {
  let parts: LinkParts;
  let instance: LinkInstance;
  let links: UserLinks;
  let last: Link;

  beforeAll(async () => {
    parts = await LinkParts.start();
    instance = parts.instance('spec');
    const db = queryable(parts.pool);
    links = new UserLinks(db, new PartnerIntegrationStore(db, parts.vault), instance.checks);
    const integration = await parts.integration();
    last = await parts.link(integration);
    await parts.pool.query(
      `INSERT INTO linkage.integrations (integration_id, platform, partner, organizer_id, display_name, status,
         authorization_url, base_url, client_id, client_secret_enc, profile, version)
       SELECT gen_random_uuid(), 'other-' || n, 'other-' || n, 'organizer-1', 'Other ' || n, 'active',
         authorization_url, base_url, client_id, client_secret_enc, profile, 1
       FROM linkage.integrations, generate_series(1, 500) AS n`,
    );
  });

  afterAll(async () => {
    await instance.stop();
    await parts.stop();
  });

  it('lists the first ones by name, and the one with which the user has a link', async () => {
    const listed = await links.list(last.userId);
    expect(listed.length).toBe(501);
    expect(listed.filter(({ link }) => link !== null)).toEqual([listed.at(-1)]);
    expect(listed.at(-1)).toMatchObject({ integration_id: last.integrationId, link: { link_id: last.linkId } });
    const names = listed.map(({ display_name: name }) => name);
    expect(names.slice(0, 3)).toEqual(['Other 1', 'Other 10', 'Other 100']);
    expect((await links.list(freshName('user'))).length).toBe(500);
  });

  it('shows any partner by its id, with and without a link', async () => {
    for (const refresh of [false, true])
      expect(await links.get(last.userId, last.integrationId, refresh)).toMatchObject({
        ...{ integration_id: last.integrationId, platform: last.platform, display_name: 'Partner', paused: false },
        link: { link_id: last.linkId, state: 'ready' },
      });
    expect(await links.get(freshName('user'), last.integrationId, true)).toMatchObject({ link: null });
    await expect(links.get(last.userId, randomUUID(), true)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('shows a partner whose link has ended, also when it is not listed any more', async () => {
    const { userId, integrationId } = last;
    const ended = (id = integrationId): Promise<unknown> => links.endedWith(userId, id);
    expect(await ended()).toBe(null);
    await parts.pool.query(`UPDATE linkage.links SET state = 'unlinked' WHERE link_id = $1`, [last.linkId]);
    expect(await ended()).toMatchObject({ integration_id: integrationId, link: { state: 'unlinked' } });
    await parts.pool.query(`UPDATE linkage.links SET unlinked_at = now() WHERE link_id = $1`, [last.linkId]);
    const listed = await links.list(userId);
    expect(listed.find(({ integration_id: id }) => id === integrationId)).toBeUndefined();
    expect(await ended()).toMatchObject({ integration_id: integrationId, link: null });
    expect(await ended(listed[0].integration_id)).toBe(null);
    expect(await ended(randomUUID())).toBe(null);
  });
});

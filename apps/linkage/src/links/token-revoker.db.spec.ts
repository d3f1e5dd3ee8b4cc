import { inTransaction } from '@podium/runtime/postgres';
import { LinkInstance } from '../../test/link-instance';
import { LinkParts } from '../../test/link-parts';
import { Link } from './link';
import { saveUnlinked } from './link.store';

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
    parts.partner.seen.length = 0;
  });

  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.stop()));
    await parts.stop();
  });

  async function unlinked(change: { refreshToken?: null } = {}, path: string | null = '/oauth2/revoke'): Promise<void> {
    const integration = await parts.integration();
    await parts.pool.query(
      `UPDATE linkage.integrations SET profile = profile || jsonb_build_object('revocation_path', $2::text)
       WHERE integration_id = $1`,
      [integration.integrationId, path],
    );
    link = await parts.link(integration, change);
    await inTransaction(parts.pool, (tx) => saveUnlinked(tx, link.linkId));
  }
  const maintain = () => Promise.all(instances.map((instance) => instance.maintain()));
  const makeDue = (requested = 'requested_at') =>
    parts.pool.query(`UPDATE linkage.token_revocations SET due_at = now(), requested_at = ${requested}`);
  const queued = async () =>
    (await parts.pool.query(`SELECT 1 FROM linkage.token_revocations WHERE link_id = $1`, [link.linkId])).rowCount;
  const asked = () => parts.partner.seen.filter(({ path }) => path === '/oauth2/revoke');

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
});

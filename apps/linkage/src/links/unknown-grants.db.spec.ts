import { queryable } from '@podium/runtime/postgres';
import { Registry } from 'prom-client';
import { LinkInstance } from '../../test/link-instance';
import { LinkParts } from '../../test/link-parts';
import { Link } from './link';
import { PartnerGauge } from './partner-gauge';
import { unknownGrants } from './unknown-grants';

describe('the count of grants in an unknown state', () => {
  const registry = new Registry();
  let parts: LinkParts;
  let instance: LinkInstance;
  let grants: PartnerGauge;

  beforeAll(async () => {
    parts = await LinkParts.start();
    instance = parts.instance('one');
    grants = unknownGrants(queryable(parts.pool), registry);
  });

  afterAll(async () => {
    await instance.stop();
    await parts.stop();
  });

  async function counted(): Promise<string[]> {
    await grants.run();
    return (await registry.metrics()).split('\n').filter((line) => line.startsWith('linkage_grants_unknown{'));
  }

  const refresh = async ({ linkId }: Link): Promise<void> => {
    await parts.pool.query(`UPDATE linkage.link_tokens SET refresh_due_at = now() WHERE link_id = $1`, [linkId]);
    await instance.maintain();
  };

  it('has links whose answers were lost twice, until the partner answers', async () => {
    parts.partner.hasGrace = true;
    const integration = await parts.integration();
    const other = await parts.integration();
    const [unknown, lostOnce] = [await parts.link(integration), await parts.link(integration)];
    const none = [`{platform="${integration.platform}"} 0`, `{platform="${other.platform}"} 0`];
    const lines = (shown: string[]) => shown.map((line) => `linkage_grants_unknown${line}`).sort();
    expect((await counted()).sort()).toEqual(lines(none));
    parts.partner.losses.push('reset');
    await refresh(lostOnce);
    parts.partner.losses.push('reset', 'reset');
    await refresh(unknown);
    expect((await counted()).sort()).toEqual(lines([`{platform="${integration.platform}"} 1`, none[1]]));
    await refresh(unknown);
    expect((await counted()).sort()).toEqual(lines(none));
    expect(await parts.journal(unknown)).toEqual(['lost', 'lost', 'refreshed']);
  });
});

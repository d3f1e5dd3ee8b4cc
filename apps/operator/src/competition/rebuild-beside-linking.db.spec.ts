import { freshName } from '@podium/testing';
import { Client } from 'pg';
import { takeRebuildLock } from '../../../competition-read/src/operations/rebuilds.store';
import { insertIntegration } from '../../../linkage/test/insert-integration';
import { LinkBrowser } from '../../../linkage/test/link-browser';
import { LiteralPartner } from '../../../linkage/test/literal-partner';
import { RunningLinkage, startLinkage } from '../../../linkage/test/running-linkage';

describe('while competition data is rebuilt in the database that all services share', () => {
  const partner = new LiteralPartner();
  let linkage: RunningLinkage;
  let rebuilding: Client;

  beforeAll(async () => {
    await partner.start();
    linkage = await startLinkage({ PARTNER_ADDRESS_ALLOW_LIST: partner.host });
    rebuilding = new Client({ connectionString: linkage.databaseUrl });
    await rebuilding.connect();
  }, 60_000);

  afterAll(async () => {
    await rebuilding?.end();
    await linkage?.stop();
    await partner.stop();
  });

  it('users link their accounts', async () => {
    expect(await takeRebuildLock(rebuilding)).toBe(true);
    const platform = freshName('p');
    const integrationId = await insertIntegration(linkage.databaseUrl, { platform, displayName: 'Acme', partner });
    const browser = await LinkBrowser.of(linkage, freshName('user'));
    await browser.link(integrationId, freshName('sub'));
    const { rows } = await rebuilding.query('SELECT user_id FROM linkage.links WHERE platform = $1', [platform]);
    expect(rows).toEqual([{ user_id: browser.userId }]);
  }, 60_000);
});

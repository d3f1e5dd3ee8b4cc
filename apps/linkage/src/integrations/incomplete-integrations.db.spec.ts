import { freshName } from '@podium/testing';
import { Client } from 'pg';
import { AdminClient, adminClient } from '../../test/admin-client';
import { RunningLinkage, startLinkage } from '../../test/running-linkage';

describe('an integration that was restored without the settings of its server', () => {
  let linkage: RunningLinkage;
  let admin: AdminClient;
  let id: string;

  beforeAll(async () => {
    linkage = await startLinkage();
    admin = await adminClient(linkage, { '*': 'admin' });
    const platform = freshName('p');
    const { json } = await admin.post('/integrations', {
      ...{ platform, partner: platform, organizer_id: 'organizer-1', display_name: 'Partner' },
      ...{ authorization_url: 'https://partner.example/login', base_url: 'https://partner.example' },
      ...{ client_id: 'podium', client_secret: 'secret-of-spec' },
    });
    id = json.integration_id as string;
    const database = new Client({ connectionString: linkage.databaseUrl });
    await database.connect();
    // As operations/restore/restored-integrations.store.ts inserts it.
    await database.query(
      `UPDATE linkage.integrations SET status = 'paused', authorization_url = '', base_url = '', client_id = '',
         client_secret_enc = '' WHERE integration_id = $1`,
      [id],
    );
    await database.end();
  });

  afterAll(() => linkage?.stop());

  const refusal = async (path: string): Promise<unknown> => {
    const { status, json } = await admin.post(`/integrations/${id}/${path}`);
    return status === 422 ? (json.error as { message: string }).message : status;
  };

  it('is neither resumed nor tested until they are entered', async () => {
    for (const path of ['resume', 'test-links', 'checks'])
      expect(await refusal(path)).toBe(
        'Enter authorization_url, base_url, client_id and client_secret first: the integration was restored without.',
      );
    const some = { client_secret: 'entered', base_url: 'https://partner.example', client_id: 'podium' };
    expect((await admin.patch(`/integrations/${id}`, some)).status).toBe(200);
    expect(await refusal('resume')).toBe('Enter authorization_url first: the integration was restored without.');
    const rest = { client_secret: 'entered', authorization_url: 'https://partner.example/login' };
    expect((await admin.patch(`/integrations/${id}`, rest)).status).toBe(200);
    expect((await admin.post(`/integrations/${id}/resume`)).json.status).toBe('active');
    expect((await admin.post(`/integrations/${id}/test-links`)).status).toBe(201);
  });
});

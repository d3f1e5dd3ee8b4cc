import { topics } from '@podium/messages';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool } from '@podium/runtime/postgres';
import { freshName } from '@podium/testing';
import { AdminClient, adminClient } from '../../test/admin-client';
import { TopicReader, readTopics } from '../../test/read-topics';
import { RunningLinkage, startLinkage } from '../../test/running-linkage';

describe('what a partner may do at its edge, as operators set it', () => {
  let linkage: RunningLinkage;
  let admin: AdminClient;
  let reader: TopicReader;
  let pool: Pool;

  beforeAll(async () => {
    linkage = await startLinkage();
    admin = await adminClient(linkage, { '*': 'admin' });
    reader = await readTopics([topics.integrations, topics.apiKeys]);
    const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
    pool = createPool({ url: linkage.databaseUrl, size: 1, service: 'test' }, logger, new Registry());
  });
  afterAll(async () => {
    await reader?.stop();
    await pool?.end();
    await linkage?.stop();
  });

  const body = (changes: Record<string, unknown> = {}): Record<string, unknown> => ({
    ...{
      platform: freshName('p'),
      partner: freshName('partner'),
      organizer_id: 'organizer-1',
      display_name: 'Partner',
    },
    ...{ authorization_url: 'https://partner.example/login', base_url: 'https://partner.example' },
    ...{ client_id: 'podium', client_secret: 'secret', ...changes },
  });

  async function created(changes: Record<string, unknown> = {}): Promise<{ integration_id: string; platform: string }> {
    const answer = await admin.post('/integrations', body(changes));
    expect(answer.status).toBe(201);
    return answer.json as never;
  }

  describe('rates', () => {
    it('are 40 unless set, published with each change, and in the audit', async () => {
      const { integration_id: id, platform } = await created();
      expect((await admin.get(`/integrations/${id}`)).json.rate_per_second).toBe(40);
      const changed = await admin.patch(`/integrations/${id}`, { rate_per_second: 1000 });
      expect(changed).toMatchObject({ status: 200, json: { rate_per_second: 1000, version: 2 } });
      expect((await admin.patch(`/integrations/${id}`, { rate_per_second: 1000 })).json.version).toBe(2);
      await admin.post(`/integrations/${id}/pause`);
      const records = await reader.records('linkage.integrations.v1', platform, 3);
      expect(records.map(({ data }) => [data.status, data.rate_per_second])).toEqual([
        ['active', 40],
        ['active', 1000],
        ['paused', 1000],
      ]);
      const audit = await admin.get(`/audit?subject=${encodeURIComponent(`integration:${id}`)}`);
      expect(audit.json.items).toContainEqual(
        expect.objectContaining({ action: 'integration.updated', detail: { rate_per_second: { from: 40, to: 1000 } } }),
      );
    });

    it('may be given with a new integration', async () => {
      const { integration_id: id, platform } = await created({ rate_per_second: 5 });
      expect((await admin.get(`/integrations/${id}`)).json.rate_per_second).toBe(5);
      const [record] = await reader.records('linkage.integrations.v1', platform, 1);
      expect(record.data.rate_per_second).toBe(5);
    });

    it.each([0, 5001, -1, 1.5, '40', null])('are not %j', async (rate) => {
      const { integration_id: id } = await created();
      for (const answer of [
        await admin.patch(`/integrations/${id}`, { rate_per_second: rate }),
        await admin.post('/integrations', body({ rate_per_second: rate })),
      ]) {
        expect(answer).toMatchObject({ status: 400, json: { error: { code: 'invalid_request' } } });
        expect(answer.text).toContain('rate_per_second');
      }
    });
  });

  describe('scopes of event keys', () => {
    const both = [{ scope: 'events:send' }, { scope: 'events:read' }];
    const reading = [{ scope: 'events:read' }];

    it('are both unless the operator says otherwise, and stay when a key is rotated', async () => {
      const { integration_id: id } = await created();
      const usual = await admin.post(`/integrations/${id}/keys`, {});
      expect(usual).toMatchObject({ status: 201, json: { scopes: both } });
      await admin.post(`/keys/${usual.json.key_id as string}/revoke`);
      const reads = await admin.post(`/integrations/${id}/keys`, { scopes: reading });
      expect(reads).toMatchObject({ status: 201, json: { scopes: reading } });
      const rotated = await admin.post(`/keys/${reads.json.key_id as string}/rotate`, {});
      expect(rotated).toMatchObject({ status: 201, json: { scopes: reading } });
      const publishedOf = async (key: Record<string, unknown>): Promise<unknown> =>
        (await reader.records('linkage.api-keys.v1', key.key_id as string, 1))[0].data.event_scopes;
      expect(await publishedOf(usual.json)).toEqual(['events:send', 'events:read']);
      expect(await publishedOf(rotated.json)).toEqual(['events:read']);
    });

    it('are both for a key of the release before, which is published as it was', async () => {
      const { integration_id: id } = await created();
      const { key_id: keyId } = (await admin.post(`/integrations/${id}/keys`, {})).json as { key_id: string };
      await pool.query('UPDATE linkage.api_keys SET event_scopes = NULL WHERE key_id = $1', [keyId]);
      expect((await admin.post(`/keys/${keyId}/expire`, { not_after: '2099-01-01T00:00:00Z' })).json.scopes).toEqual(
        both,
      );
      const records = await reader.records('linkage.api-keys.v1', keyId, 2);
      expect(records[1].data).not.toHaveProperty('event_scopes');
    });

    it.each([
      [[]],
      [[{ scope: 'data:read' }]],
      [[{ scope: 'events:read' }, { scope: 'events:read' }]],
      ['events:read'],
    ])('are not %j', async (scopes) => {
      const { integration_id: id } = await created();
      const answer = await admin.post(`/integrations/${id}/keys`, { scopes });
      expect(answer).toMatchObject({ status: 400, json: { error: { code: 'invalid_request' } } });
      expect(answer.text).toContain('scopes');
    });
  });
});

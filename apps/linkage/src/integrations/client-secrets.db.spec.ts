import { freshName } from '@podium/testing';
import { AdminClient, adminClient, createIntegration } from '../../test/admin-client';
import { LinkBrowser } from '../../test/link-browser';
import { LinkViews } from '../../test/link-views';
import { LiteralPartner } from '../../test/literal-partner';
import { RunningLinkage, startLinkage } from '../../test/running-linkage';

describe('the client secrets of a partner that has not switched yet', () => {
  const partner = new LiteralPartner();
  const views = new LinkViews();
  let linkage: RunningLinkage;
  let admin: AdminClient;

  beforeAll(async () => {
    await partner.start();
    linkage = await startLinkage({ PARTNER_ADDRESS_ALLOW_LIST: partner.host });
    admin = await adminClient(linkage, { '*': 'admin' });
    views.start();
  }, 60_000);

  beforeEach(() => {
    partner.clientSecret = 'secret-in-use';
    views.follow();
  });

  afterEach(() => views.pause());

  afterAll(async () => {
    await views.stop();
    await linkage.stop();
    await partner.stop();
  });

  async function newIntegration(): Promise<string> {
    return (await createIntegration(admin, partner, { organizer_id: freshName('o') })).integrationId;
  }

  const enter = async (id: string, client_secret: string): Promise<void> =>
    expect(await admin.patch(`/integrations/${id}`, { client_secret })).toMatchObject({
      ...{ status: 200, json: { client_secret_rotating: true } },
    });
  const linked = async (id: string): Promise<number> =>
    (await (await LinkBrowser.of(linkage, freshName('user'))).link(id, freshName('sub'))).status;

  /** Waits until the acceptance of a secret is stored. */
  async function accepted(id: string, which: 'current_accepted_at' | 'previous_accepted_at'): Promise<void> {
    for (const end = Date.now() + 15_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 100))) {
      const { client_secrets: secrets } = (await admin.get(`/integrations/${id}/linking`)).json as {
        client_secrets: Record<string, string | null>;
      };
      if (secrets[which] !== null) return;
    }
    throw new Error(`timed out: ${which} stays null`);
  }

  it.each([
    ['of users who are linked', true],
    ['of a partner without users', false],
  ])(
    'keep the one in use while a mistyped new one is corrected, %s',
    async (_name, hasUsers) => {
      const id = await newIntegration();
      if (hasUsers) {
        expect(await linked(id)).toBe(200);
        await accepted(id, 'current_accepted_at');
      }
      await enter(id, 'next-secert');
      await enter(id, 'next-secret');
      expect(await linked(id)).toBe(200);
      partner.clientSecret = 'next-secret';
      expect(await linked(id)).toBe(200);
      const audit = await admin.get(`/audit?subject=integration:${id}&action=integration.updated`);
      expect((audit.json.items as { detail: object }[]).map(({ detail }) => detail)).toEqual([
        { client_secret: expect.stringMatching(/so the previous one stays valid/) as string },
        { client_secret: 'replaced; the former one stays valid for the rotation' },
      ]);
    },
    30_000,
  );

  it('keep the new one, once it is accepted, when a further one is entered', async () => {
    const id = await newIntegration();
    await enter(id, 'second-secret');
    partner.clientSecret = 'second-secret';
    expect(await linked(id)).toBe(200);
    await accepted(id, 'current_accepted_at');
    await enter(id, 'third-secret');
    expect(await linked(id)).toBe(200);
  }, 30_000);
});

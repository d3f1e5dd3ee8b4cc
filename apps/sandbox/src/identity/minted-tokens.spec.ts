import { FastifyInstance } from 'fastify';
import { identityServer } from '../../test/identity-server';

describe('POST /dev/tokens of the sandbox', () => {
  let server: FastifyInstance;

  beforeAll(async () => {
    server = await identityServer();
  });

  afterAll(() => server.close());

  async function mint(payload?: object): Promise<[status: number, body: Record<string, unknown>]> {
    const answer = await server.inject({ method: 'POST', url: '/dev/tokens', payload });
    return [answer.statusCode, answer.json<Record<string, unknown>>()];
  }

  it('signs a token for any name, with roles and a lifetime', async () => {
    const [status, body] = await mint({ sub: 'ann', podium_roles: { '*': 'viewer' }, lifetime_s: 60 });
    expect([status, body.expires_in]).toEqual([200, 60]);
    const claims = Buffer.from(String(body.access_token).split('.')[1], 'base64url').toString();
    expect(JSON.parse(claims)).toMatchObject({ sub: 'ann', podium_roles: { '*': 'viewer' } });
  });

  it.each([
    ['no body', undefined, 'sub'],
    ['no name', {}, 'sub'],
    ['an empty name', { sub: ' ' }, 'sub'],
    ['a name that is no text', { sub: 7 }, 'sub'],
    ['roles that are no object', { sub: 'ann', podium_roles: 'admin' }, 'podium_roles'],
    ['a lifetime that is no number', { sub: 'ann', lifetime_s: '60' }, 'lifetime_s'],
  ])('refuses %s, and says what it takes', async (_label, body, field) => {
    expect(await mint(body)).toEqual([400, { error: expect.stringMatching(new RegExp(`^${field} must be `)) }]);
  });
});

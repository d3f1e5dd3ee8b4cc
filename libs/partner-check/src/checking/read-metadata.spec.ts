import { checkScripted, scriptedBaseUrl } from '../../test/scripted-server';
import { metadataAddresses } from './read-metadata';

const openId = '/.well-known/openid-configuration';
const oauth = '/.well-known/oauth-authorization-server';

describe('metadata of a server', () => {
  it.each([
    ['https://shop.example', [openId, oauth]],
    ['https://shop.example/', [openId, oauth]],
    [
      'https://shop.example/tenants/1',
      [`/tenants/1${openId}`, `${openId}/tenants/1`, `${oauth}/tenants/1`, `/tenants/1${oauth}`],
    ],
  ])('of %s is looked for where both standards have it', (baseUrl, places) => {
    expect(metadataAddresses(baseUrl)).toEqual(places.map((place) => `https://shop.example${place}`));
  });

  it.each([
    ['appended (OpenID Connect Discovery 1.0, 4)', `/tenant${openId}`, 1],
    ['inserted (RFC 8414, 5)', `${openId}/tenant`, 2],
    ['inserted (RFC 8414, 3.1)', `${oauth}/tenant`, 3],
    ['appended', `/tenant${oauth}`, 4],
  ])('is found with the well-known path %s', async (_, place, requests) => {
    const baseUrl = `${scriptedBaseUrl}/tenant`;
    const revocation = `${baseUrl}/revoke`;
    const { report, sent } = await checkScripted({
      baseUrl,
      metadataPath: place,
      metadata: { authorization_endpoint: `${baseUrl}/authorize`, revocation_endpoint: revocation },
    });
    expect(report).toMatchObject({
      verdict: 'links',
      profile: { revocation_url: { observed: true, value: revocation } },
    });
    expect(sent.filter(({ url }) => url.includes('/.well-known/')).length).toBe(requests);
  });
});

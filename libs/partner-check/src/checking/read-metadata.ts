import { CheckRun } from './check-run';

/**
 * Addresses of a server's metadata, most specific first. OpenID Connect Discovery 1.0, 4 appends to the path of the issuer; RFC
 * 8414, 3.1 inserts before it, and 5 names that place for OpenID Connect too. Last the place where some servers with a path have
 * the document of RFC 8414 instead. Without a path two addresses are left.
 */
export function metadataAddresses(baseUrl: string): string[] {
  const { origin, pathname } = new URL(baseUrl);
  const path = pathname.replace(/\/+$/, '');
  const [openId, oauth] = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'];
  const places = [`${path}${openId}`, `${openId}${path}`, `${oauth}${path}`, `${path}${oauth}`];
  return [...new Set(places)].map((place) => `${origin}${place}`);
}

/** Reads the server's own metadata, if it publishes any for its base URL. They are hints; nothing in them is believed. */
export async function readMetadata(run: CheckRun): Promise<void> {
  const { baseUrl } = run.target;
  for (const url of metadataAddresses(baseUrl)) {
    const seen = await run.ask('Metadata of the server, if it has any', {
      method: 'GET',
      url,
      headers: {},
    });
    if (seen.status !== 200 || !seen.fields?.has('authorization_endpoint')) continue;
    run.metadata = seen.fields;
    const revocation = addressBelow(baseUrl, seen.fields.get('revocation_endpoint'));
    if (revocation !== null)
      run.profile.revocation_url = {
        observed: true,
        value: revocation,
        how: 'the metadata names it; it was not called',
      };
    return;
  }
}

/** An address at the partner's own server that may be shown and stored as it is; null for everything else. */
function addressBelow(baseUrl: string, text: unknown): string | null {
  if (typeof text !== 'string' || !/^[\x21-\x7e]{1,2048}$/.test(text)) return null;
  try {
    const { href } = new URL(text);
    return href.startsWith(`${new URL(baseUrl).href.replace(/\/$/, '')}/`) && href.length <= 2048 ? href : null;
  } catch {
    return null;
  }
}

import { issuerFetch } from './issuer-fetch';

const bytesMax = 512 * 1024;

/** Fetches a JSON object from the identity provider: status 200, no redirects, bounded size. Throws on any violation. */
export async function readIssuerJson(url: string, signal: AbortSignal): Promise<Record<string, unknown>> {
  const response = await issuerFetch(url, { signal, redirect: 'error', headers: { accept: 'application/json' } });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`the identity provider responds with status ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += (chunk as Uint8Array).length;
    if (bytes > bytesMax) throw new Error('the response of the identity provider is too large');
    chunks.push(chunk as Uint8Array);
  }
  const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('the response of the identity provider is not an object');
  return value as Record<string, unknown>;
}

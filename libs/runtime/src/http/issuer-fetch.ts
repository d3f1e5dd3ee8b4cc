import { Agent, RequestInit as UndiciRequestInit, fetch as fetchBy } from 'undici';

/**
 * How long an address of a name that has several is tried until the next one takes its place, ms. Node's 250 ms end every attempt but
 * the last at a distant identity provider, and any whose first packet is lost; the last may be an IPv6 address without a way to it.
 */
const addressMs = 1500;

const agent = new Agent({ connect: { autoSelectFamilyAttemptTimeout: addressMs } });

/** `fetch` for requests to the identity provider. */
export async function issuerFetch(url: string, options: RequestInit = {}): Promise<Response> {
  // The types of Node's own fetch, which is an undici too.
  const answer = await fetchBy(url, { ...(options as UndiciRequestInit), dispatcher: agent });
  return answer as unknown as Response;
}

// Headers that end at this hop (RFC 9110, section 7.6.1), or that the gateway sets itself.
const ownOrHopHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-request-id',
  'strict-transport-security',
]);

/** The headers of a response: the gateway's own, then those of the service. All alternate name and value. */
export function passedHeaders(
  status: number,
  own: readonly string[],
  ofService: readonly (Buffer | string)[],
): string[] {
  const headers = [...own];
  let hasCacheControl = status === 304;
  for (let at = 0; at < ofService.length; at += 2) {
    const name = latin1(ofService[at]);
    const lowerCase = name.toLowerCase();
    if (ownOrHopHeaders.has(lowerCase)) continue;
    if (lowerCase === 'cache-control') hasCacheControl = true;
    headers.push(name, latin1(ofService[at + 1]));
  }
  // Responses of services contain data of one user, operator or key.
  if (!hasCacheControl) headers.push('cache-control', 'no-store');
  return headers;
}

function latin1(part: Buffer | string): string {
  return typeof part === 'string' ? part : part.toString('latin1');
}

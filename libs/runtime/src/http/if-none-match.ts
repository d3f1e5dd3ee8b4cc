/**
 * Whether a client has the representation with this strong entity tag already, by its If-None-Match: a list of tags, or `*`. W/
 * makes no difference (RFC 9110, section 13.1.2): proxies that compress a response make its tag a weak one.
 */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header === etag || header.trim() === '*') return true;
  return header.split(',').some((given) => given.trim().replace(/^W\//, '') === etag);
}

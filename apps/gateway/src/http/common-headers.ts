const yearS = 365 * 24 * 60 * 60;

/**
 * Headers of every response of this deployment, alternating name and value. Over https they tell browsers to use https
 * only (RFC 6797); subdomains are not included, because they belong to others.
 */
export function commonHeadersOf(publicUrl: string): readonly string[] {
  return new URL(publicUrl).protocol === 'https:' ? ['strict-transport-security', `max-age=${yearS}`] : [];
}

/** Styles and images of this site, and nothing else. */
const strictPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Headers of what a browser shows: its type, and what it may load. */
export function pageHeaders(contentType: string, policy = strictPolicy): Record<string, string> {
  return {
    'content-type': contentType,
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
}

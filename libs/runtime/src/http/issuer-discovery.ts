/** Where an identity provider publishes its discovery document (OpenID Connect Discovery 1.0, 4). */
export function discoveryUrl(issuerUrl: string): string {
  return `${issuerUrl}/.well-known/openid-configuration`;
}

/** The names of an issuer in documents and tokens: it is configured without a slash at its end, but some issuers have one. */
export function issuerNames(issuerUrl: string): string[] {
  return [issuerUrl, `${issuerUrl}/`];
}

/** Throws unless a discovery document is that of the configured issuer. */
export function requireIssuer(document: { readonly issuer?: unknown }, issuerUrl: string): void {
  if (!issuerNames(issuerUrl).some((name) => name === document.issuer))
    throw new Error('the discovery document is that of another issuer');
}

/** How the credentials in an Authorization header are written: as they are, or form-encoded first (RFC 6749 2.3.1). */
export type ClientAuth = 'basic_raw' | 'basic_form_encoded';

/** The header of Basic authentication: the specification's `client_id:client_secret`, or with both form-encoded first. */
export function basicAuthorization(form: ClientAuth, clientId: string, clientSecret: string): string {
  const encode = form === 'basic_form_encoded' ? formEncode : (text: string): string => text;
  return `Basic ${Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString('base64')}`;
}

function formEncode(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}

import { Severity } from '../findings/finding';
import { CheckReport, ReportedSecret } from './check-report';
import { DerivedProfile, Observation } from './derived-profile';

/** The verdict in a sentence. */
export const verdictTitles: Readonly<Record<CheckReport['verdict'], string>> = {
  links: 'Linking works with the profile below.',
  does_not_link: 'Linking does not work. Fix what is marked BLOCKS and run the check again.',
  not_finished: 'The check was not finished.',
};

/** What a severity means, in a word. */
export const severityTitles: Readonly<Record<Severity, string>> = {
  blocks: 'BLOCKS',
  unsafe: 'UNSAFE',
  fragile: 'FRAGILE',
  advice: 'ADVICE',
};

/** The fields of the profile in the order of reports. */
export const profileTitles: readonly (readonly [keyof DerivedProfile, string])[] = [
  ['client_auth', 'Client authentication'],
  ['client_id_in_body', 'client_id in the body'],
  ['pkce', 'PKCE'],
  ['pkce_verified', 'PKCE is verified'],
  ['scope', 'Scope'],
  ['prompt_consent', 'prompt=consent'],
  ['refresh_tokens', 'Refresh tokens'],
  ['rotation', 'Refresh tokens rotate'],
  ['reuse', 'A replaced refresh token'],
  ['access_token_lifetime_s', 'Access tokens live'],
  ['refresh_token_lifetime_s', 'Refresh tokens live'],
  ['error_style', 'Errors'],
  ['revocation_url', 'Revocation (RFC 7009)'],
];

const valueTexts: Readonly<Record<string, string>> = {
  true: 'yes',
  false: 'no',
  null: 'none',
  basic_raw: 'Basic as specified (basic_raw)',
  basic_form_encoded: 'Basic with form-encoded credentials (basic_form_encoded)',
  ends_the_grant: 'ends the grant: reuse detection',
  refused: 'is refused, the grant lives on',
  accepted: 'is accepted',
  standard_codes: 'JSON with codes of RFC 6749',
  own_codes: 'JSON with codes of its own',
  no_json: 'no JSON with error',
};

/** A value with how it was seen, or why it was not. */
export function observationText(seen: Observation<string | number | boolean | null>): string {
  if (!seen.observed) return `not observed: ${seen.why}`;
  const text = valueTexts[String(seen.value)] ?? String(seen.value);
  return `${typeof seen.value === 'number' ? `${text} s` : text} (${seen.how})`;
}

/** A client secret of a rotation, and what the server said to it. */
export function secretText({ outcome, used }: ReportedSecret): string {
  return `${outcome.replace('_', ' ')}${used ? ', used for this check' : ''}`;
}

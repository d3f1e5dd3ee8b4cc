import { Mode, ModeTable } from './mode';
import { hostileText } from './statuses';

type RedirectMode = Extract<Mode, { kind: 'redirect' }>;

const redirect = (summary: string, change: RedirectMode['change']): RedirectMode => ({
  ...{ kind: 'redirect', group: 'redirect', at: ['redirect'], summary, change },
});

/** A failed redirect with these parameters and no others. */
const failed = (parameters: Record<string, string>): RedirectMode['change'] => {
  return (query) => {
    for (const name of [...query.keys()]) query.delete(name);
    for (const [name, value] of Object.entries(parameters)) query.set(name, value);
  };
};

/** A failed redirect with state and issuer. */
function refused(query: URLSearchParams, issuer: string): void {
  query.delete('code');
  query.set('error', 'access_denied');
  query.set('iss', issuer);
}

/** Redirects to the service after a log-in that succeeded; the query has `code` and `state` before a change. */
export const redirects = {
  'error-without-state': redirect('error alone, as the specification has it', failed({ error: 'access_denied' })),
  'error-with-state': redirect('error with the state', (query) => {
    query.delete('code');
    query.set('error', 'access_denied');
  }),
  'error-of-the-partner': redirect('an error code of its own', failed({ error: 'konto_gesperrt' })),
  'error-text-hostile': redirect('script, line breaks and 10 KB as error', failed({ error: hostileText })),
  'error-description-hostile': redirect(
    'script as error_description',
    failed({ error: 'access_denied', error_description: hostileText }),
  ),
  'code-and-error': redirect('a code and an error', (query) => query.set('error', 'access_denied')),
  'code-absent': redirect('the state alone', (query) => query.delete('code')),
  'nothing-returned': redirect('no parameter at all', failed({})),
  'state-absent': redirect('a code without state', (query) => query.delete('state')),
  'state-unknown': redirect('a state of its own', (query) => query.set('state', 'x'.repeat(43))),
  'state-twice': redirect('the state twice', (query) => query.append('state', query.get('state') ?? '')),
  'code-twice': redirect('two codes', (query) => query.append('code', 'other')),
  'code-unknown': redirect('a code that was never issued', (query) => query.set('code', 'never-issued')),
  'code-too-long': redirect('a code of 5,000 characters', (query) => query.set('code', 'c'.repeat(5000))),
  'iss-right': redirect('iss of the partner itself (RFC 9207)', (query, { issuer }) => query.set('iss', issuer)),
  'iss-wrong': redirect('iss of another server (RFC 9207)', (query) => query.set('iss', 'https://evil.example')),
  'error-iss-right': redirect('an error with iss of the partner itself (RFC 9207)', (query, { issuer }) =>
    refused(query, issuer),
  ),
  'error-iss-wrong': redirect('an error with iss of another server (RFC 9207)', (query) =>
    refused(query, 'https://evil.example'),
  ),
} as const satisfies ModeTable;

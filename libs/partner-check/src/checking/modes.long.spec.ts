import { PartnerOperation, PartnerServer, ModeName, modeOf, modes } from '@podium/simulated-partner';
import { checkServer, codesOf, redirectUri } from '../../test/check-server';
import { FindingCode } from '../findings/finding-catalogue';
import { CheckReport } from '../report/check-report';

/** Failures of connections before HTTP, which need servers of their own. */
type ListenerMode = {
  [Name in ModeName]: (typeof modes)[Name] extends { kind: 'listener' } ? Name : never;
}[ModeName];

/** What the check says first of a partner in each mode, by the operation at which the mode acts; `links`: nothing is wrong. */
const expected: Record<Exclude<ModeName, ListenerMode>, Partial<Record<PartnerOperation, FindingCode | 'links'>>> = {
  'as-specified': { exchange: 'links', refresh: 'links' },
  'token-type-bearer': { exchange: 'links', refresh: 'links' },
  'token-type-odd': { exchange: 'token_type_invalid', refresh: 'token_type_invalid' },
  'token-type-number': { exchange: 'token_type_invalid', refresh: 'token_type_invalid' },
  'expires-in-number': { exchange: 'links', refresh: 'links' },
  'expires-in-digits': { exchange: 'links', refresh: 'links' },
  'expires-in-text': { exchange: 'expires_in_invalid', refresh: 'expires_in_invalid' },
  'expires-in-null': { exchange: 'expires_in_invalid', refresh: 'expires_in_invalid' },
  'expires-in-negative': { exchange: 'expires_in_invalid', refresh: 'expires_in_invalid' },
  'expires-in-zero': { exchange: 'expires_in_invalid', refresh: 'expires_in_invalid' },
  'expires-in-small': { exchange: 'lifetime_short', refresh: 'lifetime_short' },
  'expires-in-float': { exchange: 'expires_in_invalid', refresh: 'expires_in_invalid' },
  'expires-in-huge': { exchange: 'expires_in_invalid', refresh: 'expires_in_invalid' },
  'access-token-absent': { exchange: 'access_token_invalid', refresh: 'access_token_invalid' },
  'access-token-empty': { exchange: 'access_token_invalid', refresh: 'access_token_invalid' },
  'access-token-blank': { exchange: 'access_token_invalid', refresh: 'access_token_invalid' },
  'access-token-number': { exchange: 'access_token_invalid', refresh: 'access_token_invalid' },
  'access-token-64-kb': { exchange: 'access_token_invalid', refresh: 'access_token_invalid' },
  'access-token-control-characters': { exchange: 'access_token_invalid', refresh: 'access_token_invalid' },
  'access-token-not-ascii': { exchange: 'access_token_invalid', refresh: 'access_token_invalid' },
  'refresh-token-absent': { exchange: 'no_refresh_token', refresh: 'refresh_chain_broken' },
  'refresh-token-null': { exchange: 'no_refresh_token', refresh: 'refresh_chain_broken' },
  'refresh-token-empty': { exchange: 'no_refresh_token', refresh: 'refresh_chain_broken' },
  'refresh-token-number': { exchange: 'refresh_token_invalid', refresh: 'refresh_token_invalid' },
  'scope-array': { exchange: 'links', refresh: 'links' },
  'duplicate-keys': { exchange: 'token_answer_unreadable', refresh: 'token_answer_unreadable' },
  'duplicate-keys-escaped': { exchange: 'token_answer_unreadable', refresh: 'token_answer_unreadable' },
  'byte-order-mark': { exchange: 'token_answer_unreadable', refresh: 'token_answer_unreadable' },
  'deep-nesting': { exchange: 'token_answer_unreadable', refresh: 'token_answer_unreadable' },
  'deeper-nesting': { exchange: 'token_answer_unreadable', refresh: 'token_answer_unreadable' },
  'top-level-array': { exchange: 'token_answer_unreadable', refresh: 'token_answer_unreadable' },
  'top-level-null': { exchange: 'token_answer_unreadable', refresh: 'token_answer_unreadable' },
  'proto-key': { exchange: 'access_token_invalid', refresh: 'access_token_invalid' },
  'proto-key-beside': { exchange: 'links', refresh: 'links' },
  'latin-1': { exchange: 'token_answer_unreadable', refresh: 'token_answer_unreadable' },
  'unpaired-surrogate': { exchange: 'token_answer_unreadable', refresh: 'token_answer_unreadable' },
  'error-with-200': {
    exchange: 'token_answer_error',
    refresh: 'token_answer_error',
    user_info: 'user_info_answer_error',
  },
  'success-with-201': {
    exchange: 'token_answer_status',
    refresh: 'token_answer_status',
    user_info: 'user_info_answer_status',
  },
  'success-with-204': {
    exchange: 'token_answer_status',
    refresh: 'token_answer_status',
    user_info: 'user_info_answer_status',
  },
  'invalid-grant': { exchange: 'code_refused', refresh: 'refresh_refused', user_info: 'user_info_refused' },
  'invalid-grant-401': { exchange: 'code_refused', refresh: 'refresh_refused', user_info: 'user_info_refused' },
  'invalid-client': { exchange: 'client_refused', refresh: 'refresh_refused', user_info: 'user_info_refused' },
  'invalid-request': { exchange: 'code_refused', refresh: 'refresh_refused', user_info: 'user_info_refused' },
  'error-of-its-own': { exchange: 'code_refused', refresh: 'refresh_refused', user_info: 'user_info_refused' },
  'error-absent': { exchange: 'code_refused', refresh: 'refresh_refused', user_info: 'user_info_refused' },
  'error-object': { exchange: 'code_refused', refresh: 'refresh_refused', user_info: 'user_info_refused' },
  'error-number': { exchange: 'code_refused', refresh: 'refresh_refused', user_info: 'user_info_refused' },
  'error-twice': { exchange: 'code_refused', refresh: 'refresh_refused', user_info: 'user_info_refused' },
  'error-hostile': { exchange: 'code_refused', refresh: 'refresh_refused', user_info: 'user_info_refused' },
  'empty-400': { exchange: 'code_refused', refresh: 'refresh_refused', user_info: 'user_info_refused' },
  'html-200': {
    exchange: 'token_answer_unreadable',
    refresh: 'token_answer_unreadable',
    user_info: 'user_info_unreadable',
  },
  'html-400': { exchange: 'code_refused', refresh: 'refresh_refused', user_info: 'user_info_refused' },
  'html-401': { exchange: 'code_refused', refresh: 'refresh_refused', user_info: 'user_info_refused' },
  'html-403': { exchange: 'code_refused', refresh: 'refresh_refused', user_info: 'user_info_refused' },
  'html-404': { exchange: 'token_endpoint_not_found', refresh: 'refresh_refused', user_info: 'user_info_not_found' },
  'html-502': { exchange: 'token_endpoint_failing', refresh: 'token_endpoint_failing', user_info: 'user_info_failing' },
  'json-as-text': { exchange: 'links', refresh: 'links', user_info: 'links' },
  'truncated-json': {
    exchange: 'token_answer_unreadable',
    refresh: 'token_answer_unreadable',
    user_info: 'user_info_unreadable',
  },
  'too-many-requests': {
    exchange: 'token_endpoint_failing',
    refresh: 'token_endpoint_failing',
    user_info: 'user_info_failing',
  },
  'too-many-requests-date': {
    exchange: 'token_endpoint_failing',
    refresh: 'token_endpoint_failing',
    user_info: 'user_info_failing',
  },
  unavailable: {
    exchange: 'token_endpoint_failing',
    refresh: 'token_endpoint_failing',
    user_info: 'user_info_failing',
  },
  'internal-error': {
    exchange: 'token_endpoint_failing',
    refresh: 'token_endpoint_failing',
    user_info: 'user_info_failing',
  },
  reset: {
    exchange: 'token_endpoint_unreachable',
    refresh: 'token_endpoint_unreachable',
    user_info: 'user_info_unreachable',
  },
  'reset-in-body': {
    exchange: 'token_endpoint_unreachable',
    refresh: 'token_endpoint_unreachable',
    user_info: 'user_info_unreachable',
  },
  'content-length-too-large': {
    exchange: 'token_endpoint_unreachable',
    refresh: 'token_endpoint_unreachable',
    user_info: 'user_info_unreachable',
  },
  'content-length-too-small': {
    exchange: 'token_answer_unreadable',
    refresh: 'token_answer_unreadable',
    user_info: 'user_info_unreadable',
  },
  'cut-off': {
    exchange: 'token_answer_unreadable',
    refresh: 'token_answer_unreadable',
    user_info: 'user_info_unreadable',
  },
  'no-answer': {
    exchange: 'token_endpoint_unreachable',
    refresh: 'token_endpoint_unreachable',
    user_info: 'user_info_unreachable',
  },
  'no-body': {
    exchange: 'token_endpoint_unreachable',
    refresh: 'token_endpoint_unreachable',
    user_info: 'user_info_unreachable',
  },
  'slow-headers': {
    exchange: 'token_endpoint_unreachable',
    refresh: 'token_endpoint_unreachable',
    user_info: 'user_info_unreachable',
  },
  drip: {
    exchange: 'token_endpoint_unreachable',
    refresh: 'token_endpoint_unreachable',
    user_info: 'user_info_unreachable',
  },
  'body-64-mib': {
    exchange: 'token_answer_unreadable',
    refresh: 'token_answer_unreadable',
    user_info: 'user_info_unreadable',
  },
  'gzip-bomb': {
    exchange: 'token_answer_unreadable',
    refresh: 'token_answer_unreadable',
    user_info: 'user_info_unreadable',
  },
  gzip: { exchange: 'token_answer_unreadable', refresh: 'token_answer_unreadable', user_info: 'user_info_unreadable' },
  'header-bomb': {
    exchange: 'token_answer_unreadable',
    refresh: 'token_answer_unreadable',
    user_info: 'user_info_unreadable',
  },
  'not-http': {
    exchange: 'token_answer_unreadable',
    refresh: 'token_answer_unreadable',
    user_info: 'user_info_unreadable',
  },
  'redirect-other-host': {
    exchange: 'token_answer_status',
    refresh: 'token_answer_status',
    user_info: 'user_info_answer_status',
  },
  'redirect-private': {
    exchange: 'token_answer_status',
    refresh: 'token_answer_status',
    user_info: 'user_info_answer_status',
  },
  'redirect-loop': {
    exchange: 'token_answer_status',
    refresh: 'token_answer_status',
    user_info: 'user_info_answer_status',
  },
  rotating: { refresh: 'links' },
  'reuse-ends-grant': { refresh: 'links' },
  'grace-period': { refresh: 'old_refresh_token_accepted' },
  'not-rotating': { refresh: 'links' },
  'same-refresh-token': { refresh: 'links' },
  'same-access-token': { refresh: 'links' },
  'refresh-expired': { refresh: 'refresh_refused' },
  'answer-lost-after-rotation': { refresh: 'token_endpoint_unreachable' },
  'answer-cut-after-rotation': { refresh: 'token_endpoint_unreachable' },
  'answer-late-after-rotation': { refresh: 'token_endpoint_unreachable' },
  'invalid-token-loop': { user_info: 'user_info_refused' },
  'error-without-state': { redirect: 'redirect_refused' },
  'error-with-state': { redirect: 'redirect_refused' },
  'error-of-the-partner': { redirect: 'redirect_refused' },
  'error-text-hostile': { redirect: 'redirect_refused' },
  'error-description-hostile': { redirect: 'redirect_refused' },
  'code-and-error': { redirect: 'redirect_repeated_parameter' },
  'code-absent': { redirect: 'redirect_without_code' },
  'nothing-returned': { redirect: 'redirect_without_code' },
  'state-absent': { redirect: 'state_missing' },
  'state-unknown': { redirect: 'state_changed' },
  'state-twice': { redirect: 'redirect_repeated_parameter' },
  'code-twice': { redirect: 'redirect_repeated_parameter' },
  'code-unknown': { redirect: 'code_refused' },
  'code-too-long': { redirect: 'redirect_too_long' },
  'iss-right': { redirect: 'links' },
  'iss-wrong': { redirect: 'issuer_unknown' },
  'error-iss-right': { redirect: 'redirect_refused' },
  'error-iss-wrong': { redirect: 'issuer_unknown' },
  'sub-absent': { user_info: 'sub_invalid' },
  'sub-empty': { user_info: 'sub_invalid' },
  'sub-blank': { user_info: 'sub_invalid' },
  'sub-number': { user_info: 'sub_invalid' },
  'sub-10-kb': { user_info: 'sub_too_long' },
  'sub-256-bytes': { user_info: 'sub_too_long' },
  'sub-nul': { user_info: 'user_info_unreadable' },
  'sub-spaces': { user_info: 'links' },
  'sub-changes': { user_info: 'links' },
  'nickname-absent': { user_info: 'nickname_missing' },
  'nickname-null': { user_info: 'nickname_missing' },
  'nickname-number': { user_info: 'nickname_missing' },
  'nickname-emoji': { user_info: 'links' },
  'nickname-right-to-left': { user_info: 'links' },
  'nickname-html': { user_info: 'links' },
  'invalid-token': { user_info: 'user_info_refused' },
  'invalid-token-challenge': { user_info: 'user_info_refused' },
  'insufficient-scope': { user_info: 'scope_unknown' },
};

/** Whether answers in the mode never end, or so slowly that no client waits for it. */
function isUnfinished(name: ModeName): boolean {
  const mode = modeOf(name);
  return 'delivery' in mode && ['nothing', 'headers_only', 'slow_headers', 'drip'].includes(mode.delivery.kind);
}

/** Found with the simulated partner in every mode: it does not say how long tokens live, or that they may not be cached. */
const always: readonly string[] = ['tokens_cacheable', 'expires_in_missing'];

describe('the check of a partner in each mode', () => {
  const server = new PartnerServer();
  let partners = 0;

  beforeAll(() => server.start());
  afterAll(() => server.stop());

  async function check(mode: ModeName | null, at: PartnerOperation, issuer?: string): Promise<CheckReport> {
    const name = `partner-${partners++}`;
    const { client } = server.of(name);
    client.redirect_url = redirectUri;
    if (mode !== null) server.setModes(name, { mode, at: [at] });
    const target = { clientId: client.client_id, clientSecret: client.client_secret, baseUrl: server.baseUrl(name) };
    return checkServer({ ...target, authorizationUrl: `${target.baseUrl}/authorize`, issuer }, undefined, {
      // Only where no answer comes the check waits: elsewhere a slow machine must not make an answer too late.
      timeoutMs: mode !== null && isUnfinished(mode) ? 1000 : 10_000,
    });
  }

  it('finds that linking works without a mode', async () => {
    const report = await check(null, 'exchange');
    expect([report.verdict, codesOf(report)]).toEqual(['links', always]);
  });

  it('compares an agreed issuer as it is', async () => {
    // The mode sends https://evil.example, which is not below the partner's address.
    const other = await check('iss-wrong', 'redirect', 'https://evil.example');
    expect([other.verdict, codesOf(other)]).toEqual(['links', always]);
    for (const issuer of ['https://evil.example/', 'https://login.partner.example'])
      expect(codesOf(await check('iss-wrong', 'redirect', issuer))).toContain('issuer_unknown');
    expect(codesOf(await check('iss-right', 'redirect', 'https://evil.example'))).toContain('issuer_unknown');
  });

  const cases = Object.entries(expected).flatMap(([mode, at]) =>
    Object.entries(at).map(([operation, code]) => [mode, operation, code] as [ModeName, PartnerOperation, FindingCode]),
  );
  it.each(cases)('%s at %s: %s', async (mode, operation, code) => {
    const report = await check(mode, operation);
    const [first = 'links'] = codesOf(report).filter((each) => !always.includes(each));
    expect(first).toBe(code);
    // A report that says why linking fails must not say that it works.
    const blocks = report.findings.some(({ severity }) => severity === 'blocks');
    expect(report.verdict).toBe(blocks ? 'does_not_link' : 'links');
  });

  it('has a row for every operation of every mode', () => {
    const missing = (Object.keys(modes) as ModeName[])
      .filter((name) => modeOf(name).kind !== 'listener')
      .flatMap((name) => modeOf(name).at.map((at) => [name, at] as const))
      .filter(([name, at]) => expected[name as keyof typeof expected][at] === undefined);
    expect(missing).toEqual([]);
  });
});

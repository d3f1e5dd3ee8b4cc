import { ShortAnswer, checkScripted } from '../../test/scripted-server';
import { codesOf } from '../../test/check-server';
import { CheckCase } from '../report/check-cases';
import { CheckReport } from '../report/check-report';

function outcomeOf({ cases }: CheckReport, id: CheckCase): string | undefined {
  return cases.find((each) => each.id === id)?.outcome;
}

const challenged = (challenge: string, fields?: ShortAnswer['fields']): ShortAnswer => ({
  ...{ status: 401, headers: { 'www-authenticate': challenge } },
  fields,
});

/** What the check says of an answer must be what the service makes of it. */
describe('the check reads answers as the service does', () => {
  it.each<[string, ShortAnswer, string]>([
    ['a Bearer challenge', challenged('Bearer error="invalid_token"'), 'passed'],
    ['one after other challenges', challenged('DPoP algs="ES256", Bearer error="invalid_token"'), 'passed'],
    ['one beside an own code', challenged('Bearer error="invalid_token"', { error: 'unauthorized' }), 'passed'],
    ['a challenge of another scheme', challenged('DPoP error="invalid_token"'), 'failed'],
    ['403', { status: 403, fields: { error: 'invalid_token' } }, 'failed'],
  ])('an unknown access token refused with %s: %s', async (_, refused, outcome) => {
    const { report } = await checkScripted({ userInfo: (logIn) => (logIn === 0 ? refused : undefined) });
    expect(outcomeOf(report, 'user_info_error')).toBe(outcome);
    expect(codesOf(report).includes('user_info_error_unnamed')).toBe(outcome === 'failed');
  });

  it.each<[string, ShortAnswer, string]>([
    ['400', { status: 400, fields: { error: 'invalid_grant' } }, 'passed'],
    ['401', { status: 401, fields: { error: 'invalid_grant' } }, 'passed'],
    ['403', { status: 403, fields: { error: 'invalid_grant' } }, 'failed'],
    ['a challenge alone', challenged('Bearer error="invalid_grant"'), 'failed'],
  ])('an unknown refresh token refused with invalid_grant and %s: %s', async (_, refused, outcome) => {
    const { report } = await checkScripted({
      token: ({ form }) =>
        form.has('refresh_token') && !/^refresh-\d$/.test(form.get('refresh_token') ?? '') ? refused : undefined,
    });
    expect(outcomeOf(report, 'refresh_error')).toBe(outcome);
    expect(codesOf(report).includes('refresh_error_unnamed')).toBe(outcome === 'failed');
  });

  it.each<[string, string, string[]]>([
    ['without state', 'error=access_denied&state=', ['redirect_refused', 'error_without_state']],
    ['with the state of the request', 'error=access_denied', ['redirect_refused']],
    ['with another state', 'error=access_denied&state=other', ['redirect_refused', 'error_state_changed']],
    ['with its issuer', 'error=access_denied&iss=https://shop.example', ['redirect_refused']],
    ['with another issuer', 'error=access_denied&iss=https://evil.example', ['issuer_unknown']],
  ])('a redirect with error %s', async (_, query, codes) => {
    const { report } = await checkScripted({ redirect: () => query });
    expect(codesOf(report)).toEqual(codes);
    expect([report.verdict, outcomeOf(report, 'redirect')]).toEqual(['does_not_link', 'failed']);
  });
});

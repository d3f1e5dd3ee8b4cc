import { ServerChanges, ShortAnswer, checkScripted, invalidGrant, tokensOf } from '../../test/scripted-server';
import { codesOf } from '../../test/check-server';
import { CheckCase } from '../report/check-cases';
import { CheckReport } from '../report/check-report';

function outcomeOf({ cases }: CheckReport, id: CheckCase): string | undefined {
  return cases.find((each) => each.id === id)?.outcome;
}

describe('what the check concludes', () => {
  it('finds nothing unsafe or blocking at a right server except codes that work repeatedly', async () => {
    const { report } = await checkScripted({});
    expect([report.verdict, codesOf(report)]).toEqual([
      'links',
      expect.arrayContaining(['code_reusable', 'pkce_ignored', 'token_redirect_uri_ignored']),
    ]);
  });

  it.each([
    ['of an account in use', { status: 200, fields: { sub: 'linked', nickname: 'ada' } }, 'linked'],
    ['of an account that it does not know', { status: 503 }, 'nobody'],
  ])('does not replay a code %s', async (_, secondUser, inUse) => {
    const { report, sent } = await checkScripted({
      userInfo: (logIn) => (logIn === 1 ? undefined : secondUser),
      isAccountInUse: (sub) => sub === inUse,
    });
    expect(outcomeOf(report, 'code_once')).toBe('not_observed');
    const uses = sent.filter(({ body }) => new URLSearchParams(body).get('code') === 'code-2');
    expect(uses.length).toBe(1);
  });

  it.each([429, 503])('does not take %d after a refusal for an accepted client', async (status) => {
    // Every second request without a code of a log-in is answered; the first, with a wrong secret, is.
    let asked = 0;
    const { report } = await checkScripted({
      token: ({ form, logIn }) => (form.has('code') && logIn === 0 && asked++ > 0 ? { status } : undefined),
    });
    const { client_id_in_body: inBody, error_style: style } = report.profile;
    expect(inBody).toMatchObject({ observed: true, how: 'accepted without the field' });
    expect(report.exchanges.filter(({ purpose }) => purpose.startsWith('An unknown code')).length).toBe(3);
    expect([style.observed, outcomeOf(report, 'token_error')]).toEqual([false, 'not_observed']);
    expect(codesOf(report)).not.toContain('token_error_status');
  });

  it('does not say that a server wants the client in the body when that request was not answered', async () => {
    const { report } = await checkScripted({
      token: ({ form }) =>
        form.has('client_secret') ? { status: 429 } : { status: 401, fields: { error: 'invalid_client' } },
    });
    expect(codesOf(report)).toEqual(['client_refused']);
  });

  it('reports a server that breaks at an unknown code', async () => {
    const { report } = await checkScripted({
      token: ({ isClient, form, logIn }) => (isClient && form.has('code') && logIn === 0 ? { status: 500 } : undefined),
    });
    expect(codesOf(report)).toContain('token_error_status');
  });

  /** Log-ins without a scope work, but without a refresh token, so that the check tries the scope of the metadata. */
  const withoutRefresh: ServerChanges = {
    metadata: {
      authorization_endpoint: 'https://shop.example/authorize',
      scopes_supported: ['openid', 'offline_access'],
    },
    token: ({ isClient, logIn }) => (isClient && logIn > 0 ? tokensOf(logIn, false) : undefined),
  };

  it.each<[string, Partial<ServerChanges>]>([
    ['the scope is refused', { redirect: (logIn) => (logIn === 2 ? 'error=invalid_scope' : undefined) }],
    ['the redirect has no code', { redirect: (logIn) => (logIn === 2 ? 'other=1' : undefined) }],
    ['user info is down', { userInfo: (logIn) => (logIn === 2 ? { status: 503 } : undefined) }],
  ])('keeps what worked when %s in a further log-in', async (_, change) => {
    const { report } = await checkScripted({ ...withoutRefresh, ...change });
    expect(report.verdict).toBe('links');
    expect(report.findings.filter(({ severity }) => severity === 'blocks')).toEqual([]);
    expect([outcomeOf(report, 'redirect'), outcomeOf(report, 'user_info')]).toEqual(['passed', 'passed']);
    expect(report.profile.scope).toMatchObject({ value: null, how: expect.stringContaining('not observed: whether') });
    expect(codesOf(report)).toContain('no_refresh_token');
  });

  it.each([
    ['the wrong uses', (isRight: boolean) => !isRight],
    ['the right use', (isRight: boolean) => isRight],
  ])('does not conclude from an outage at %s that codes are used up by a refusal', async (_, isDown) => {
    const { report } = await checkScripted({
      token: ({ form, isClient, logIn }) => {
        if (logIn < 2) return undefined;
        const isRight = isClient && form.get('redirect_uri') === 'https://podium.example/callback';
        return isDown(isRight) ? { status: 503 } : invalidGrant;
      },
    });
    expect(codesOf(report)).not.toContain('code_lost_by_refusal');
    expect(outcomeOf(report, 'code_survives_refusal')).toBe('not_observed');
  });

  it('counts the refusal of a wrong use although another wrong use of the code was accepted', async () => {
    const { report } = await checkScripted({
      token: ({ form, logIn }) =>
        logIn > 1 && form.get('redirect_uri') !== 'https://podium.example/callback' ? invalidGrant : undefined,
    });
    expect(outcomeOf(report, 'code_redirect_uri')).toBe('passed');
    expect([outcomeOf(report, 'code_verifier'), codesOf(report)]).toEqual([
      'failed',
      expect.arrayContaining(['pkce_ignored']),
    ]);
  });

  it('says what an accepted wrong use shows although the one before it got no clear answer', async () => {
    const { report } = await checkScripted({
      token: ({ form, logIn }) =>
        logIn === 2 && form.get('redirect_uri') !== 'https://podium.example/callback' ? { status: 503 } : undefined,
      // One log-in for all wrong uses.
      redirect: (logIn) => (logIn > 2 ? 'error=access_denied' : undefined),
    });
    expect(outcomeOf(report, 'code_redirect_uri')).toBe('not_observed');
    expect(outcomeOf(report, 'code_verifier')).toBe('failed');
  });

  it('does not take a refusal for certain after a use of the code that got no clear answer', async () => {
    const { report } = await checkScripted({
      token: ({ form, logIn }) => {
        if (logIn < 2) return undefined;
        return form.get('redirect_uri') === 'https://podium.example/callback' ? invalidGrant : { status: 503 };
      },
      redirect: (logIn) => (logIn > 2 ? 'error=access_denied' : undefined),
    });
    for (const id of ['code_redirect_uri', 'code_verifier'] as const)
      expect([id, outcomeOf(report, id)]).toEqual([id, 'not_observed']);
  });

  /** A refresh with a wrong secret and the one after it, of the grant of the first log-in. */
  const refreshes = (wrong: ShortAnswer | null, right: ShortAnswer | null): ServerChanges => {
    let hasFailed = false;
    return {
      token: ({ form, isClient }) => {
        if (form.get('refresh_token') !== 'refresh-1') return undefined;
        if (!isClient) hasFailed = true;
        return (isClient ? hasFailed && right : wrong) || undefined;
      },
    };
  };

  it.each<[string, ShortAnswer | null, ShortAnswer | null, string, string | null]>([
    ['refused, then accepted', null, null, 'passed', null],
    ['refused, then refused', null, invalidGrant, 'failed', 'refresh_lost_by_refusal'],
    ['refused, then an outage', null, { status: 503 }, 'not_observed', 'token_endpoint_failing'],
    ['an outage, then accepted', { status: 503 }, null, 'not_observed', null],
    ['an outage, then refused', { status: 503 }, invalidGrant, 'not_observed', null],
  ])('concludes of a refresh token with a wrong, then the right secret: %s', async (_, wrong, right, outcome, code) => {
    const { report } = await checkScripted(refreshes(wrong, right));
    expect(outcomeOf(report, 'refresh_survives_refusal')).toBe(outcome);
    const about = ['refresh_lost_by_refusal', 'token_endpoint_failing', 'refresh_chain_broken'];
    expect(codesOf(report).filter((each) => about.includes(each))).toEqual(code === null ? [] : [code]);
  });

  it.each([429, 503])('does not switch PKCE off when the authorization page once answers %d', async (status) => {
    let asked = 0;
    const { report } = await checkScripted({ page: () => (asked++ === 0 ? { status } : undefined) });
    expect(report.profile.pkce).toMatchObject({ observed: true, value: true });
    expect(codesOf(report)).not.toContain('pkce_refused');
  });

  it('switches PKCE off when the authorization page refuses its parameters each time', async () => {
    const { report } = await checkScripted({
      page: (query) => (query.has('code_challenge') ? { status: 400 } : undefined),
    });
    expect(report.profile.pkce).toMatchObject({ observed: true, value: false });
    expect(codesOf(report)).toContain('pkce_refused');
  });
});

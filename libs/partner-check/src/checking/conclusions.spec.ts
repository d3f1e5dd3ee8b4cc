import { checkScripted } from '../../test/scripted-server';
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
});

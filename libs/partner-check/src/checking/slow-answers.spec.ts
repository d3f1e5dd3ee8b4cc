import { ServerChanges, checkScripted } from '../../test/scripted-server';
import { codesOf } from '../../test/check-server';
import { CheckRequest } from '../exchanges/transport';
import { FindingCode } from '../findings/finding-catalogue';
import { CheckReport } from '../report/check-report';

const isOf = (request: CheckRequest, text: string): boolean =>
  request.url.includes(text) || (request.body?.includes(text) ?? false);
/** Every answer to a request with the text takes as long. */
const slowAt = (text: string, tookMs: number): ServerChanges => ({
  takesMs: (request) => (isOf(request, text) ? tookMs : 10),
});

const detailOf = ({ findings }: CheckReport, code: FindingCode): string | null | undefined =>
  findings.find((each) => each.code === code)?.detail;

describe('the check of a partner whose answers are slow', () => {
  it.each([
    ['the exchange', 'code=code-1', 'exchange'],
    ['user info', '/oauth2/userinfo', 'user_info'],
    ['a refresh', 'grant_type=refresh_token', 'refresh'],
  ])('says that %s is too late for the service, which does not link then', async (_, text, id) => {
    const { report } = await checkScripted(slowAt(text, 6000));
    expect(report.verdict).toBe('does_not_link');
    expect(report.findings[0]).toMatchObject({ code: 'answer_too_late', detail: '6000 ms' });
    expect(report.cases.find((each) => each.id === id)).toMatchObject({ outcome: 'failed' });
  });

  it('waits as long as the service', async () => {
    for (const [tookMs, timeoutMs, verdict] of [
      ...([
        [5000, undefined, 'links'],
        [5001, undefined, 'does_not_link'],
      ] as const),
      ...([
        [6000, 8000, 'links'],
        [9000, 8000, 'does_not_link'],
        [3000, 1000, 'does_not_link'],
      ] as const),
    ]) {
      const { report } = await checkScripted({ ...slowAt('/oauth2/', tookMs), timeoutMs });
      expect([tookMs, timeoutMs, report.verdict]).toEqual([tookMs, timeoutMs, verdict]);
    }
  });

  it.each([
    [6000, 6000, 'links'],
    [7000, 5001, 'does_not_link'],
    [12_500, 10, 'does_not_link'],
    [10, 12_500, 'does_not_link'],
  ])(
    'gives the exchange and the user info together the time of a log-in: %i and %i ms',
    async (exchangeMs, userInfoMs, verdict) => {
      const { report } = await checkScripted({
        takesMs: (request) =>
          isOf(request, 'code=code-1') ? exchangeMs : isOf(request, '/oauth2/userinfo') ? userInfoMs : 10,
        timeoutMs: 30_000,
      });
      expect(report.verdict).toBe(verdict);
      if (verdict === 'links') return;
      expect(report.findings[0]).toMatchObject({
        ...{ code: 'answer_too_late', detail: `${exchangeMs + userInfoMs} ms together` },
      });
      expect(report.cases.find(({ id }) => id === 'user_info')).toMatchObject({ outcome: 'failed' });
    },
  );

  it('waits itself for an answer that the service would wait for', async () => {
    const { sent } = await checkScripted({ timeoutMs: 30_000 });
    expect([...new Set(sent.map(({ timeoutMs }) => timeoutMs))]).toEqual([30_000]);
  });

  it('does not count what the service never sends: a wrong secret, an unknown token, the page', async () => {
    const { report } = await checkScripted({
      takesMs: ({ url, headers }) => {
        const secret = Buffer.from((headers.authorization ?? '').slice(6), 'base64').toString();
        const isOfService = secret.endsWith(':right-secret') || /^Bearer access-/.test(headers.authorization ?? '');
        return isOfService && url.includes('/oauth2/') ? 10 : 6000;
      },
    });
    expect([report.verdict, codesOf(report).includes('answer_too_late')]).toEqual(['links', false]);
  });

  it('keeps the log-in that worked when that with another scope is too late', async () => {
    const { report } = await checkScripted({
      metadata: { authorization_endpoint: 'https://shop.example/authorize', scopes_supported: ['openid'] },
      token: ({ isClient, logIn }) =>
        isClient && logIn === 1
          ? { status: 200, fields: { access_token: 'access-1-token', token_type: 'Bearer' } }
          : undefined,
      ...slowAt('code=code-2', 6000),
    });
    expect([report.verdict, report.profile.scope]).toEqual(['links', expect.objectContaining({ value: null })]);
  });

  it('shows the slowest of several slow answers', async () => {
    const tooks = [2100, 4000, 2500];
    const { report } = await checkScripted({
      takesMs: (request) => (isOf(request, '/oauth2/userinfo') ? (tooks.shift() ?? 10) : 10),
    });
    expect([report.verdict, detailOf(report, 'slow_answer')]).toEqual(['links', '4000 ms']);
  });
});

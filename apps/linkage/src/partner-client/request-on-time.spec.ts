import { LiteralPartner } from '../../test/literal-partner';
import { PartnerHttp } from './partner-http';

describe('a request of a process that is paused', () => {
  const partner = new LiteralPartner();
  let http: PartnerHttp;

  beforeAll(() => partner.start());
  beforeEach(() => {
    http = new PartnerHttp(new Set([partner.host]));
    partner.seen.length = 0;
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await http.stop();
  });
  afterAll(() => partner.stop());

  const send = () =>
    http.send({
      platform: 'p',
      method: 'POST',
      url: `${partner.baseUrl}/oauth2/token`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=refresh_token&refresh_token=former',
      timeoutMs: 5_000,
    });

  /** As after a pause: the time has passed, and no timer has run yet. */
  const pause = (ms: number): void => {
    const nowMs = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs() + ms);
  };

  it('is not sent when its connection is there only after its time', async () => {
    const sent = send();
    pause(60_000);
    expect(await sent).toMatchObject({ ok: false, kind: 'unavailable', outcomeUnknown: false });
    expect(partner.seen).toEqual([]);
  });

  it('is sent while there is time, and the connection of one that was not sent serves the next', async () => {
    const late = send();
    pause(60_000);
    await late;
    jest.restoreAllMocks();
    const next = send();
    pause(4_000);
    expect(await next).toMatchObject({ ok: true });
    expect(partner.seen.map(({ path }) => path)).toEqual(['/oauth2/token']);
  });
});

describe('a partner that sends informational responses', () => {
  const partner = new LiteralPartner();
  let http: PartnerHttp;

  beforeAll(async () => {
    await partner.start();
    http = new PartnerHttp(new Set([partner.host]));
  });
  afterAll(async () => {
    await http.stop();
    await partner.stop();
  });

  it('is read by the response that follows them', async () => {
    partner.tokenAnswer = (response) => {
      response.writeProcessing();
      response.writeEarlyHints({ link: '</log-in.css>; rel=preload; as=style' });
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"access_token":"at"}');
    };
    const url = `${partner.baseUrl}/oauth2/token`;
    const answer = await http.send({ platform: 'p', method: 'POST', url, headers: {}, body: '', timeoutMs: 5_000 });
    if (!answer.ok) throw new Error(answer.reason);
    const { status, headers, body } = answer.value;
    expect([status, Buffer.from(body).toString()]).toEqual([200, '{"access_token":"at"}']);
    expect(headers.has('link')).toBe(false);
  });
});

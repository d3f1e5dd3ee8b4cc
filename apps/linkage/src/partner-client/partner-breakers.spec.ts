import { setTimeout as sleep } from 'node:timers/promises';
import { RawResponse } from '@podium/partner-check/protocol/partner-answers';
import { PartnerResult, failure } from '@podium/partner-check/protocol/partner-result';
import { pino } from 'pino';
import { PartnerBreakers, SendWithin } from './partner-breakers';
import { connectionsMax } from './partner-http';
import { waitingMax } from './request-slots';

const answered: PartnerResult<RawResponse> = {
  ok: true,
  value: { status: 200, body: Buffer.from('{}'), retryAfter: undefined, challenge: undefined },
};

describe('PartnerBreakers', () => {
  let breakers: PartnerBreakers;
  let [atOnce, mostAtOnce, ended] = [0, 0, 0];

  beforeEach(() => {
    [atOnce, mostAtOnce, ended] = [0, 0, 0];
    breakers = new PartnerBreakers(pino({ level: 'silent' }));
  });

  afterEach(() => breakers.stop());

  const answerAfter =
    (ms: number): SendWithin =>
    async () => {
      mostAtOnce = Math.max(mostAtOnce, ++atOnce);
      await sleep(ms);
      atOnce--;
      ended++;
      return answered;
    };
  const hang: SendWithin = async (timeoutMs) => {
    await sleep(timeoutMs);
    return failure('unavailable', 'no response from the partner');
  };
  const sendMany = (count: number, timeoutMs: number, request: SendWithin) =>
    Promise.all(Array.from({ length: count }, () => breakers.send('p', timeoutMs, request)));
  const reasons = (results: readonly PartnerResult<RawResponse>[]) =>
    results.map((result) => (result.ok ? 'ok' : result.reason));

  it('lets requests beyond the limit wait for their turn', async () => {
    const results = await sendMany(120, 5000, answerAfter(100));
    expect(results).toEqual(Array(120).fill(answered));
    expect(mostAtOnce).toBe(connectionsMax);
    expect([...breakers.notClosed()]).toEqual([]);
  });

  it('refuses the excess without blame for the partner, and sends again once a request has ended', async () => {
    const results = await sendMany(300, 200, answerAfter(100));
    const refused = results.filter((result) => !result.ok);
    // The others that waited had no turn in a quarter of their time.
    expect(refused.length).toBe(300 - connectionsMax);
    for (const result of refused)
      expect(result).toMatchObject({ reason: 'too many requests to the partner are in progress', notSent: true });
    expect([...breakers.notClosed()]).toEqual([]);
    expect(await breakers.send('p', 200, answerAfter(1))).toEqual(answered);
  });

  it('lets no more wait than the capacity for slow partners allows', async () => {
    // A turn may take a quarter of the time: the last ones wait for three answers, on a busy machine for longer.
    const sent = sendMany(connectionsMax + waitingMax, 10_000, answerAfter(100));
    expect(reasons([await breakers.send('p', 10_000, answerAfter(100))])).toEqual([
      'too many requests to the partner are in progress',
    ]);
    // It did not wait for a turn.
    expect(ended).toBe(0);
    expect(await breakers.send('other', 2000, answerAfter(1))).toEqual(answered);
    expect(await sent).toEqual(Array(connectionsMax + waitingMax).fill(answered));
  });

  it('gives a request that has waited the rest of its time', async () => {
    const first = sendMany(connectionsMax, 10_000, answerAfter(100));
    let [leftMs, waitedMs] = [0, 0];
    const startedMs = performance.now();
    await breakers.send('p', 10_000, async (timeoutMs) => {
      [leftMs, waitedMs] = [timeoutMs, performance.now() - startedMs];
      return answered;
    });
    await first;
    // The slots are free after 100 ms; a busy machine may take longer until the request has its turn.
    expect(leftMs).toBeLessThanOrEqual(9_910);
    expect(leftMs).toBeGreaterThanOrEqual(Math.floor(10_000 - waitedMs) - 1);
  });

  it('does not send a request whose time passed in a pause of the process, and blames no partner for it', async () => {
    const first = sendMany(connectionsMax, 1000, answerAfter(50));
    let sent = 0;
    const waiting = breakers.send('p', 1000, async () => {
      sent++;
      return answered;
    });
    const nowMs = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs() + 60_000);
    const result = await waiting.finally(() => jest.restoreAllMocks());
    expect(result).toMatchObject({ reason: 'no time is left for a request to the partner', notSent: true });
    await first;
    expect([sent, [...breakers.notClosed()]]).toEqual([0, []]);
    expect(await breakers.send('p', 200, answerAfter(1))).toEqual(answered);
  });

  it('refuses all requests, also those that wait, at a partner that hangs', async () => {
    const results = reasons(await sendMany(40, 100, hang));
    expect(results.filter((reason) => reason === 'no response from the partner').length).toBe(connectionsMax);
    expect([...breakers.notClosed()]).toEqual([['p', 'open']]);
    expect(reasons([await breakers.send('p', 100, answerAfter(1))])).toEqual([
      'the circuit breaker of the partner is open',
    ]);
  });
});

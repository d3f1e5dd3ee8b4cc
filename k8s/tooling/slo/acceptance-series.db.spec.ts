import { BatchedAnswer, ErrorCode, errorCatalogue } from '@podium/messages';
import { freshName, localStack } from '@podium/testing';
import { FakeIngestion, accepted } from '../../../apps/gateway/test/fake-ingestion';
import { GatewayUnderTest, startGateway } from '../../../apps/gateway/test/gateway-under-test';
import { slos } from './slo-table';

type Kind = 'good' | 'bad' | 'ignored';

const single = '/cdp/v1/users/events/send';
const batch = '/cdp/v1/users/events/batch';
const kinds: readonly Kind[] = ['good', 'bad', 'ignored'];
const { raised } = slos.filter(({ name }) => name === 'acceptance-success')[0];
const nothing = byKind((kind) => raised[kind].map(() => 0));

/** Scenarios for promtool are made of the series in the table: a gateway must raise the same ones. */
describe('the series of "acceptance-success", at a gateway', () => {
  const ingestion = new FakeIngestion();
  let gateway: GatewayUnderTest;

  beforeAll(async () => {
    gateway = await startGateway({ redisUrl: localStack().redisUrl, ingestionUrls: [await ingestion.start()] });
  });
  afterAll(async () => {
    await gateway.stop();
    await ingestion.stop();
  });

  it('exist before the first event', async () => {
    expect(await counts()).toEqual({ good: [0], bad: [0], ignored: [0] });
  });

  const answers: { kind: Kind; of: string; answer: () => BatchedAnswer }[] = [
    { kind: 'good', of: 'accepted', answer: accepted },
    { kind: 'good', of: 'a duplicate', answer: () => answerOf(200, '{"outcome":"duplicate","event_id":"e"}') },
    { kind: 'bad', of: 'unavailable', answer: () => refused('unavailable') },
    { kind: 'bad', of: 'an internal error', answer: () => refused('internal_error') },
    { kind: 'ignored', of: 'an unknown user', answer: () => refused('user_not_linked') },
  ];
  it.each(answers)('$kind: $of, alone and in a batch', async ({ kind, answer }) => {
    ingestion.answer = answer;
    expect(await raisedBy(single, '{}')).toEqual({ ...nothing, [kind]: [1] });
    expect(await raisedBy(batch, '{"events":[{},{},{}]}')).toEqual({ ...nothing, [kind]: [3] });
  });

  it('bad: a request that is refused while keys are out of date, so that its platform is unknown', async () => {
    gateway.viewAgeMs = 60_001;
    for (const path of [single, batch]) expect(await raisedBy(path, '{}')).toEqual({ ...nothing, bad: [1] });
    gateway.viewAgeMs = 0;
  });

  it('ignored: a batch that is no batch', async () => {
    expect(await raisedBy(batch, '{"events":{}}')).toEqual({ ...nothing, ignored: [1] });
  });

  /** By how much one request of a new platform raises each series. */
  async function raisedBy(path: string, body: string): Promise<Record<Kind, number[]>> {
    const before = await counts();
    const headers = {
      authorization: `Bearer ${gateway.newKey(freshName('p'))}`,
      'content-type': 'application/json',
    };
    await (await fetch(gateway.url + path, { method: 'POST', body, headers })).arrayBuffer();
    const after = await counts();
    return byKind((kind) => after[kind].map((count, at) => count - before[kind][at]));
  }

  /** The values of the series in the table; NaN for one that does not exist. */
  async function counts(): Promise<Record<Kind, number[]>> {
    const lines = (await gateway.registry.metrics()).split('\n');
    const valueOf = (series: string): number =>
      Number(lines.find((line) => line.startsWith(`${series} `))?.slice(series.length) ?? NaN);
    return byKind((kind) => raised[kind].map(valueOf));
  }
});

function byKind(of: (kind: Kind) => number[]): Record<Kind, number[]> {
  return Object.fromEntries(kinds.map((kind) => [kind, of(kind)])) as Record<Kind, number[]>;
}

function refused(code: ErrorCode): BatchedAnswer {
  return answerOf(errorCatalogue[code].status, `{"error":{"code":"${code}","message":"m","retry":"now"}}`);
}

function answerOf(status: number, body: string): BatchedAnswer {
  return { status, retryAfterS: 0, body: Buffer.from(body) };
}

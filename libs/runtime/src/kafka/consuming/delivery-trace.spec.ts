import { topics } from '@podium/messages';
import { pino } from 'pino';
import { isSampled, startTracing } from '../../trace';
import { DeliveryTrace } from './delivery-trace';
import { ConsumedRecord } from './outcomes';

const source = { group: 'g', topic: 't', partition: 0 };
const { userEvents: own, awardResults: foreign } = topics;
const sampled = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

function record(offset: bigint, traceparent?: string): ConsumedRecord {
  const headers: Record<string, string> = traceparent === undefined ? {} : { traceparent };
  return { offset, key: '', timestampMs: 0, headers, sizeBytes: 0, record: null };
}

describe('DeliveryTrace', () => {
  const records = [record(1n), record(2n, sampled), record(3n, sampled.replace(/01$/, '00'))];
  let lines: Record<string, unknown>[];

  const start = (ratio = 0) =>
    startTracing({
      // Nothing listens at this address: exported spans are not inspected here.
      endpoint: 'http://127.0.0.1:9',
      ratio,
      service: 's',
      instance: 's-1',
      environment: 'test',
      logger: pino({ level: 'silent' }),
    })!;

  beforeEach(() => (lines = []));

  const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) });

  it('does nothing while tracing is off', () => {
    const begun = DeliveryTrace.begin(source, records, own);
    expect(begun.records).toBe(records);
    expect(begun.trace).toBeUndefined();
  });

  it('does nothing for a batch without a sampled record', async () => {
    const tracing = start();
    const others = [records[0], records[2]];
    const begun = DeliveryTrace.begin(source, others, own);
    expect(begun.records).toBe(others);
    expect(begun.trace).toBeUndefined();
    await tracing.stop();
  });

  it('gives a sampled record a child context, leaves the others alone, and records the outcome', async () => {
    const tracing = start();
    const begun = DeliveryTrace.begin(source, records, own);
    expect(begun.records[0]).toBe(records[0]);
    expect(begun.records[2]).toBe(records[2]);
    const { traceparent } = begun.records[1];
    expect(traceparent).not.toBe(sampled);
    expect([isSampled(traceparent), traceparent?.slice(0, 35)]).toEqual([true, sampled.slice(0, 35)]);
    begun.trace!.end(begun.records, [{ kind: 'done' }, { kind: 'dead', reason: 'why' }, { kind: 'done' }], logger);
    expect(lines).toEqual([
      expect.objectContaining({
        ...source,
        offset: '2',
        outcome: 'dead',
        reason: 'why',
        trace_id: sampled.slice(3, 35),
        span_id: traceparent?.slice(36, 52),
      }),
    ]);
    await tracing.stop();
  });

  it("leaves it to Podium's ratio whether a foreign record is traced, in a trace of its own", async () => {
    const none = start(0);
    expect(DeliveryTrace.begin(source, records, foreign)).toEqual({ records });
    await none.stop();
    const all = start(1);
    const begun = DeliveryTrace.begin(source, records, foreign);
    expect([begun.records[0], begun.records[2]]).toEqual([records[0], records[2]]);
    const { traceparent } = begun.records[1];
    expect(isSampled(traceparent)).toBe(true);
    expect(traceparent?.slice(3, 35)).not.toBe(sampled.slice(3, 35));
    begun.trace!.end(begun.records, [{ kind: 'done' }, { kind: 'done' }, { kind: 'done' }], logger);
    expect(lines).toEqual([expect.objectContaining({ offset: '2', trace_id: traceparent?.slice(3, 35) })]);
    await all.stop();
  });
});

import { setImmediate as tick } from 'node:timers/promises';
import fc from 'fast-check';
import { BatchedAnswer, BatchedEvent, CodedError } from '@podium/messages';
import { batchLimits } from './batch-limits';
import { BatchCarrier, BatchReport, EventArrival, EventBatches } from './event-batches';

type Carried = {
  events: readonly BatchedEvent[];
  answer: (answers: BatchedAnswer[]) => void;
  fail: (error: Error) => void;
};

/** A fake connection to ingestion; the test provides the responses. */
class HeldCarrier implements BatchCarrier {
  readonly carried: Carried[] = [];
  deadlines: { ingestionAtMs: number; gatewayAtMs: number }[] = [];

  carry(
    events: readonly BatchedEvent[],
    deadlines: { ingestionAtMs: number; gatewayAtMs: number },
  ): Promise<BatchedAnswer[]> {
    this.deadlines.push(deadlines);
    return new Promise((answer, fail) => this.carried.push({ events, answer, fail }));
  }

  underWayMax = 2;

  maxInFlight(): number {
    return this.underWayMax;
  }
}

function event(requestId: string, bytes = 10, platform = 'p'): BatchedEvent {
  return { platform, requestId, receivedAtMs: 0, traceparent: '', body: Buffer.alloc(bytes) };
}

const received = (receivedMs: number, burst = 40): EventArrival => ({ receivedMs, burst });

function answerTo({ requestId }: BatchedEvent): BatchedAnswer {
  return { status: 200, retryAfterS: 0, body: Buffer.from(requestId) };
}

function batchesOver(
  carrier: BatchCarrier,
  limits = {},
  nowMs = () => 1_000,
): { batches: EventBatches; reports: BatchReport[] } {
  const reports: BatchReport[] = [];
  return {
    batches: new EventBatches(carrier, (report) => reports.push(report), { ...batchLimits, ...limits }, nowMs),
    reports,
  };
}

describe('EventBatches', () => {
  it('sends at once while a slot is free, two batches at a time, and collects further events meanwhile', async () => {
    const carrier = new HeldCarrier();
    const { batches } = batchesOver(carrier);
    const answers: Promise<BatchedAnswer>[] = [];
    for (const id of ['a', 'b', 'c', 'd']) {
      answers.push(batches.send(event(id), received(1_000)));
      await tick();
      await tick();
    }
    expect(carrier.carried.map(({ events }) => events.map(({ requestId }) => requestId))).toEqual([['a'], ['b']]);
    carrier.carried[0].answer([answerTo(event('a'))]);
    await answers[0];
    await tick();
    await tick();
    expect(carrier.carried[2].events.map(({ requestId }) => requestId)).toEqual(['c', 'd']);
  });

  it('holds few events back while many are in flight: for half as many, the next response, or the time to gather', async () => {
    const carrier = new HeldCarrier();
    const { batches } = batchesOver(carrier, { gatherMs: 60_000 });
    const sendAll = async (...ids: string[]): Promise<void> => {
      for (const id of ids) void batches.send(event(id), received(1_000));
      await tick();
      await tick();
    };
    const carried = (): string[] => carrier.carried.map(({ events }) => events.map((each) => each.requestId).join(''));
    await sendAll('a', 'b', 'c', 'd');
    await sendAll('e');
    expect(carried()).toEqual(['abcd']);
    await sendAll('f');
    expect(carried()).toEqual(['abcd', 'ef']);
    carrier.carried[1].answer([answerTo(event('e')), answerTo(event('f'))]);
    await sendAll('g');
    expect(carried()).toHaveLength(2);
    carrier.carried[0].answer(['a', 'b', 'c', 'd'].map((id) => answerTo(event(id))));
    await sendAll();
    expect(carried()).toEqual(['abcd', 'ef', 'g']);

    const soon = new HeldCarrier();
    const { batches: hurried } = batchesOver(soon, { gatherMs: 1 });
    for (const id of ['a', 'b', 'c', 'd']) void hurried.send(event(id), received(1_000));
    await tick();
    void hurried.send(event('e'), received(1_000));
    while (soon.carried.length < 2) await tick();
    expect(soon.carried[1].events.map(({ requestId }) => requestId)).toEqual(['e']);
  });

  it('gives every event its own response within the limits, for all sizes in any order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ bytes: fc.integer({ min: 0, max: 65_536 }), wait: fc.boolean() }), {
          minLength: 1,
          maxLength: 60,
        }),
        async (pattern) => {
          const sizes: { events: number; bytes: number }[] = [];
          let underWay = 0;
          let mostUnderWay = 0;
          const carrier: BatchCarrier = {
            maxInFlight: () => 2,
            carry: async (events) => {
              mostUnderWay = Math.max(mostUnderWay, (underWay += 1));
              sizes.push({ events: events.length, bytes: events.reduce((sum, { body }) => sum + body.length, 0) });
              await tick();
              underWay -= 1;
              return events.map(answerTo);
            },
          };
          const { batches } = batchesOver(carrier, { maxEvents: 7, maxBatchBytes: 100_000 });
          const answers: Promise<BatchedAnswer>[] = [];
          for (const [at, { bytes, wait }] of pattern.entries()) {
            answers.push(batches.send(event(`r${at}`, bytes), received(1_000)));
            if (wait) await tick();
          }
          const bodies = (await Promise.all(answers)).map(({ body }) => body.toString());
          await batches.drained();
          expect(bodies).toEqual(pattern.map((_, at) => `r${at}`));
          expect(mostUnderWay).toBeLessThanOrEqual(2);
          for (const size of sizes) expect(size.events <= 7 && (size.bytes <= 100_000 || size.events === 1)).toBe(true);
          expect(batches.queued()).toBe(0);
        },
      ),
    );
  });

  it.each([
    [1, 4],
    [40, 160],
    [100, 400],
    [1_000, 1_000],
    [5_000, 5_000],
  ])(
    'limits waiting events of a platform that may send %d at once to %d, and leaves capacity for others',
    async (burst, most) => {
      const carrier = new HeldCarrier();
      const { batches } = batchesOver(carrier);
      for (const id of ['a', 'b']) {
        void batches.send(event(id, 1, 'busy'), received(1_000, burst));
        await tick();
        await tick();
      }
      const waiting = Array.from({ length: most + 1 }, (_, at) =>
        batches.send(event(String(at), 1, 'busy'), received(1_000, burst)),
      );
      void batches.send(event('other', 1, 'other'), received(1_000));
      const full = await waiting[most];
      expect(full).toMatchObject({ status: 503, retryAfterS: 1 });
      expect(full.body.toString()).toContain('"overloaded"');
      expect(batches.queued()).toBe(most + 1);
    },
  );

  it('takes as many events at once as the rate of a platform allows', async () => {
    const carrier = new HeldCarrier();
    const { batches } = batchesOver(carrier);
    const answers = Array.from({ length: 1_000 }, (_, at) =>
      batches.send(event(String(at), 1), received(1_000, 1_000)),
    );
    for (let round = 0; round < 20; round++) {
      await tick();
      for (const { events, answer } of carrier.carried) answer(events.map(answerTo));
    }
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  });

  it('limits the total bytes of waiting events', async () => {
    const carrier = new HeldCarrier();
    const { batches } = batchesOver(carrier, { maxQueuedBytes: 100 });
    void batches.send(event('a', 60, 'p'), received(1_000));
    expect((await batches.send(event('b', 60, 'q'), received(1_000))).status).toBe(503);
  });

  it('returns 503 to all events of a batch whose outcome is unknown or whose responses do not match', async () => {
    const carrier = new HeldCarrier();
    const { batches, reports } = batchesOver(carrier);
    const failing = [batches.send(event('a'), received(1_000)), batches.send(event('b'), received(1_000))];
    await tick();
    carrier.carried[0].fail(new Error('broken frame'));
    for (const answer of await Promise.all(failing)) expect(answer).toMatchObject({ status: 503, retryAfterS: 2 });
    const short = batches.send(event('c'), received(1_000));
    await tick();
    carrier.carried[1].answer([]);
    expect((await short).status).toBe(503);
    expect(reports.map(({ error }) => error instanceof Error)).toEqual([true, true]);
  });

  it('gives ingestion 4 s from the receipt, and sends no event after that', async () => {
    const carrier = new HeldCarrier();
    let nowMs = 1_000;
    const { batches } = batchesOver(carrier, {}, () => nowMs);
    void batches.send(event('a'), received(900));
    void batches.send(event('b'), received(1_000));
    await tick();
    expect(carrier.deadlines).toEqual([{ ingestionAtMs: 4_900, gatewayAtMs: 5_900 }]);
    const late = batches.send(event('c'), received(1_000));
    nowMs = 5_000;
    expect(await late).toMatchObject({ status: 503 });
    expect(carrier.carried).toHaveLength(1);
  });

  it('batches urgent events only with similarly urgent ones, so that others lose no time', async () => {
    const carrier = new HeldCarrier();
    carrier.underWayMax = 8;
    const { batches } = batchesOver(carrier, {}, () => 10_000);
    const receivedMs = { fresh: 9_990, slow: 6_100, fresher: 10_000, slower: 6_090, worn: 8_000, freshest: 10_000 };
    for (const [name, at] of Object.entries(receivedMs)) void batches.send(event(name), received(at));
    for (let round = 0; round < 8; round++) await tick();
    expect(carrier.carried.map(({ events }) => events.map(({ requestId }) => requestId))).toEqual([
      ['fresh', 'fresher', 'freshest'],
      ['slow', 'slower'],
      ['worn'],
    ]);
    expect(carrier.deadlines.map(({ ingestionAtMs }) => ingestionAtMs)).toEqual([13_990, 10_090, 12_000]);
  });

  it('reduces the remaining time of an event by at most half for the sake of another', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 100, max: 4_000 }), { minLength: 1, maxLength: 50 }),
        async (left) => {
          const nowMs = 10_000;
          const carrier: BatchCarrier = {
            maxInFlight: () => 2,
            carry: async (events, { ingestionAtMs }) => {
              for (const { requestId } of events)
                expect(ingestionAtMs - nowMs).toBeGreaterThan(left[Number(requestId)] / 2 - 1);
              return events.map(answerTo);
            },
          };
          const { batches, reports } = batchesOver(carrier, {}, () => nowMs);
          await Promise.all(
            left.map((leftMs, at) => batches.send(event(String(at)), received(nowMs + leftMs - 4_000))),
          );
          expect(reports.flatMap(({ error }) => error ?? [])).toEqual([]);
        },
      ),
    );
  });

  it('reports that ingestion is overloaded when that is the cause', async () => {
    const carrier = new HeldCarrier();
    const { batches } = batchesOver(carrier);
    const answer = batches.send(event('a'), received(1_000));
    await tick();
    carrier.carried[0].fail(new CodedError('overloaded'));
    expect((await answer).body.toString()).toContain('"overloaded"');
  });
});

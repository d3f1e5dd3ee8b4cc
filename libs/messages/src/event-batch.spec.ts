import * as fc from 'fast-check';
import { BrokenFrameError, decodeAnswers, decodeEvents, encodeAnswers, encodeEvents } from './event-batch';

const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));

const events = fc.array(
  fc.record({
    platform: fc.string(),
    requestId: fc.string(),
    receivedAtMs: fc.nat(),
    traceparent: fc.string(),
    body: bytes,
  }),
  { maxLength: 20 },
);

const answers = fc.array(
  fc.record({ status: fc.integer({ min: 200, max: 599 }), retryAfterS: fc.nat(4000), body: bytes }),
  { maxLength: 20 },
);

describe('event batch frames', () => {
  it('preserve any events and responses', () => {
    fc.assert(fc.property(events, (given) => expect(decodeEvents(encodeEvents(given))).toEqual(given)));
    fc.assert(fc.property(answers, (given) => expect(decodeAnswers(encodeAnswers(given))).toEqual(given)));
  });

  it('refuse a frame that is truncated or extended anywhere', () => {
    fc.assert(
      fc.property(events, fc.nat(), (given, at) => {
        const frame = encodeEvents(given);
        expect(() => decodeEvents(frame.subarray(0, at % frame.length))).toThrow(BrokenFrameError);
        expect(() => decodeEvents(Buffer.concat([frame, Buffer.from([0])]))).toThrow(BrokenFrameError);
      }),
    );
  });

  it('never throw another error on arbitrary bytes', () => {
    fc.assert(
      fc.property(bytes, (frame) => {
        for (const decode of [decodeEvents, decodeAnswers])
          try {
            decode(frame);
          } catch (error) {
            expect(error).toBeInstanceOf(BrokenFrameError);
          }
      }),
    );
  });
});

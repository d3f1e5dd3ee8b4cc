import fastify from 'fastify';
import {
  BatchedEvent,
  CodedError,
  decodeAnswers,
  encodeEvents,
  eventBatchContentType,
  eventBatchPath,
  notProducedHeader,
} from '@podium/messages';
import { fixed } from '@podium/runtime/config';
import { InternalToken } from '@podium/runtime/http';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { systemClocks } from '@podium/runtime/work';
import { AdmissionWorld, event as eventOf } from '../../test/admission-world';
import { BatchAdmission } from './admit-batch';
import { EventIntake } from './event-intake';
import { outcomeUnknown, refused, unavailable } from '../event/outcome';
import { EventAnswer, answerOf } from './event-answer';

const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
const event: BatchedEvent = {
  platform: 'p',
  requestId: 'r',
  receivedAtMs: 1,
  traceparent: '',
  body: Buffer.from('{}'),
};
const accepted = answerOf({ kind: 'accepted', dropped: [], warnings: [] }, 'e');

function partsOf(admit: BatchAdmission['admit']): ConstructorParameters<typeof EventIntake>[0] {
  return { admission: { admit }, validation: { validate: () => Promise.reject(new Error('not asked')) } };
}

describe('EventIntake marks a 5XX response as not produced', () => {
  async function marksNotProduced(
    admit: BatchAdmission['admit'],
    headers: Record<string, string> = {},
  ): Promise<boolean> {
    const http = fastify();
    const options = { maxInFlightEvents: 50, logger };
    await new EventIntake(partsOf(admit), new InternalToken(fixed(['token'])), options, new Registry()).register(http);
    const response = await http.inject({
      method: 'POST',
      url: eventBatchPath,
      headers: { 'content-type': eventBatchContentType, 'x-podium-internal-token': 'token', ...headers },
      payload: encodeEvents([event, event]),
    });
    await http.close();
    return response.headers[notProducedHeader] === '1';
  }
  const answering = (...answers: EventAnswer[]) => marksNotProduced(() => Promise.resolve(answers));

  it('when it is certain for each event', async () => {
    expect(await answering(answerOf(unavailable, ''), answerOf(unavailable, ''))).toBe(true);
    expect(await answering(accepted, answerOf(refused('overloaded'), ''))).toBe(true);
  });

  it('not when one event may be in the topic', async () => {
    expect(await answering(answerOf(unavailable, ''), answerOf(outcomeUnknown, ''))).toBe(false);
    expect(await answering(accepted, answerOf(outcomeUnknown, ''))).toBe(false);
  });

  it('when the frame was refused before admission, and not when something failed afterwards', async () => {
    expect(await marksNotProduced(() => Promise.resolve([]), { 'x-podium-time-left-ms': '0' })).toBe(true);
    expect(await marksNotProduced(() => Promise.resolve([]), { 'x-podium-internal-token': 'other' })).toBe(true);
    expect(await marksNotProduced(() => Promise.reject(new Error('unexpected')))).toBe(false);
    expect(await marksNotProduced(() => Promise.reject(new CodedError('unavailable')))).toBe(false);
  });
});

describe('A batch in progress when the time of day is set', () => {
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['forward', 3_600_000],
    ['back', -3_600_000],
  ])(
    '%s keeps its time: its events are admitted, and those that hang are answered',
    async (_direction, stepMs) => {
      const realNow = Date.now;
      let setByMs = 0;
      jest.spyOn(Date, 'now').mockImplementation(() => realNow() + setByMs);
      const world = new AdmissionWorld({ clocks: systemClocks });
      const http = fastify();
      const admit: BatchAdmission['admit'] = (events, deadlineMs) => {
        setByMs = stepMs;
        return world.admission.admit(events, deadlineMs);
      };
      const options = { maxInFlightEvents: 50, logger };
      await new EventIntake(partsOf(admit), new InternalToken(fixed(['token'])), options, new Registry()).register(
        http,
      );
      const statusOf = async (id: string): Promise<number> => {
        const response = await http.inject({
          method: 'POST',
          url: eventBatchPath,
          headers: {
            'content-type': eventBatchContentType,
            'x-podium-internal-token': 'token',
            'x-podium-time-left-ms': '500',
          },
          payload: encodeEvents([eventOf({ id })]),
        });
        setByMs = 0;
        return decodeAnswers(response.rawPayload)[0].status;
      };
      expect(await statusOf('e-1')).toBe(200);
      world.linksHang = true;
      expect(await statusOf('e-2')).toBe(503);
      await http.close();
    },
    3_000,
  );
});

import fastify from 'fastify';
import {
  BatchedEvent,
  CodedError,
  encodeEvents,
  eventBatchContentType,
  eventBatchPath,
  notProducedHeader,
} from '@podium/messages';
import { fixed } from '@podium/runtime/config';
import { InternalToken } from '@podium/runtime/http';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { BatchAdmission } from './admit-batch';
import { EventIntake } from './event-intake';
import { AdmissionAnswer, answerOf, outcomeUnknown, refused, unavailable } from './outcome';

const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
const event: BatchedEvent = {
  platform: 'p',
  requestId: 'r',
  receivedAtMs: 1,
  traceparent: '',
  body: Buffer.from('{}'),
};
const accepted = answerOf({ kind: 'accepted', dropped: [] }, 'e');

describe('EventIntake says that nothing which it answers with 5XX is produced', () => {
  async function saysSo(admit: BatchAdmission['admit'], headers: Record<string, string> = {}): Promise<boolean> {
    const http = fastify();
    const options = { maxInFlightEvents: 50, logger };
    await new EventIntake({ admit }, new InternalToken(fixed(['token'])), options, new Registry()).register(http);
    const response = await http.inject({
      method: 'POST',
      url: eventBatchPath,
      headers: { 'content-type': eventBatchContentType, 'x-podium-internal-token': 'token', ...headers },
      payload: encodeEvents([event, event]),
    });
    await http.close();
    return response.headers[notProducedHeader] === '1';
  }
  const answering = (...answers: AdmissionAnswer[]) => saysSo(() => Promise.resolve(answers));

  it('when that is certain of each event', async () => {
    expect(await answering(answerOf(unavailable, ''), answerOf(unavailable, ''))).toBe(true);
    expect(await answering(accepted, answerOf(refused('overloaded'), ''))).toBe(true);
  });

  it('not when one is perhaps in the topic', async () => {
    expect(await answering(answerOf(unavailable, ''), answerOf(outcomeUnknown, ''))).toBe(false);
    expect(await answering(accepted, answerOf(outcomeUnknown, ''))).toBe(false);
  });

  it('when the whole was refused before any event was looked at, and not when something failed afterwards', async () => {
    expect(await saysSo(() => Promise.resolve([]), { 'x-podium-time-left-ms': '0' })).toBe(true);
    expect(await saysSo(() => Promise.resolve([]), { 'x-podium-internal-token': 'other' })).toBe(true);
    expect(await saysSo(() => Promise.reject(new Error('unexpected')))).toBe(false);
    expect(await saysSo(() => Promise.reject(new CodedError('unavailable')))).toBe(false);
  });
});

import {
  DeadlineExceededError,
  OutcomeUnknownError,
  PartitionUnavailableError,
  ProducerOverloadedError,
  RecordTooLargeError,
} from '@podium/runtime/kafka';
import { AdmittedEvent, EventPublisher } from './event-publisher';

const admitted: AdmittedEvent = {
  event: { platform: 'p', platformUserId: 'u', id: 'e', name: 'deposit', createdAt: 1, attributes: new Map() },
  identity: { recordId: 'r', content: 'c' },
  check: { ok: true, kind: 'repeatable', version: 1, kept: [], dropped: [] },
  link: { userId: 'u', linkId: 'l', linkedAtS: 1, organizerId: 'o' },
  integrationId: 'i',
  receivedAtMs: 1,
  traceparent: '',
} as unknown as AdmittedEvent;

describe('EventPublisher', () => {
  it.each([
    [new ProducerOverloadedError(), 'overloaded', undefined],
    [new DeadlineExceededError(), 'unavailable', undefined],
    [new RecordTooLargeError(2_000_000), 'unavailable', undefined],
    [new OutcomeUnknownError(), 'unavailable', true],
    [new PartitionUnavailableError(), 'unavailable', true],
    [new Error('unexpected'), 'unavailable', true],
  ])('%p refuses the event with %s; left to the retry of the partner: %p', async (error, code, isUnknown) => {
    const publisher = new EventPublisher({ sendAll: async (records) => records.map(() => error) });
    const [outcome] = await publisher.publish([admitted], Date.now() + 1_000);
    expect(outcome).toMatchObject({ kind: 'refused', code });
    expect('isUnknown' in outcome ? outcome.isUnknown : undefined).toBe(isUnknown);
  });
});

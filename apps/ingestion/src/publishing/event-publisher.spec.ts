import {
  DeadlineExceededError,
  OutcomeUnknownError,
  PartitionUnavailableError,
  ProducerOverloadedError,
  RecordTooLargeError,
} from '@podium/runtime/kafka';
import { outcomeUnknown } from '../event/outcome';
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

  it('has an outcome for each event in its place, beside one that violates the schema of its record', async () => {
    const warning = { code: 'not_parsed' };
    const check = { ...admitted.check, dropped: ['note'], values: { notParsed: [{ warning }] } };
    const broken = { ...admitted, receivedAtMs: 'never' } as unknown as AdmittedEvent;
    const accepted = { ...admitted, check } as unknown as AdmittedEvent;
    let sent = 0;
    const publisher = new EventPublisher({
      sendAll: async (records) => {
        sent = records.length;
        return [{ partition: 0, offset: 0n }, new DeadlineExceededError()] as never;
      },
    });
    const outcomes = await publisher.publish([broken, accepted, admitted], Date.now() + 1_000);
    expect(sent).toBe(2);
    expect(outcomes).toEqual([
      outcomeUnknown,
      { kind: 'accepted', dropped: ['note'], warnings: [warning] },
      expect.objectContaining({ kind: 'refused', code: 'unavailable' }),
    ]);
  });
});

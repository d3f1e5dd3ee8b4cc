import { KafkaJSConnectionError, KafkaJSNonRetriableError, KafkaJSSASLAuthenticationError } from 'kafkajs';
import { isPassing } from './passing-errors';

/** As kafkajs's retrier throws an error that it does not try again. */
function wrapped(cause: Error): Error {
  return Object.assign(new KafkaJSNonRetriableError(cause), { cause });
}

describe('errors that pass', () => {
  it('include a refused or interrupted log-in: the key file of a rotation may follow later', () => {
    // Its declared type has no constructor with a message.
    const refused = Reflect.construct(KafkaJSSASLAuthenticationError, ['Connection closed']) as Error;
    expect([isPassing(refused), isPassing(wrapped(refused))]).toEqual([true, true]);
  });

  it('include what Kafka or the client calls transient, also as a cause', () => {
    expect(isPassing(wrapped(new KafkaJSConnectionError('Closed connection')))).toBe(true);
    expect(isPassing(Object.assign(new Error('x'), { retriable: true }))).toBe(true);
  });

  it('include nothing else', () => {
    for (const error of [wrapped(new Error('x')), new TypeError('x'), undefined, 'KafkaJSConnectionError'])
      expect(isPassing(error)).toBe(false);
  });
});

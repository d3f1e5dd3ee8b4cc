import RequestQueue from 'kafkajs/src/network/requestQueue';
import { pino } from 'pino';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKafka } from './create-kafka';

createKafka({ brokers: ['127.0.0.1:1'], clientId: 'spec', logger: pino({ level: 'silent' }) });

const log = { namespace: () => log, debug() {}, info() {}, warn() {}, error() {} };

describe('a connection without requests', () => {
  const queue = new RequestQueue({
    ...{ requestTimeout: 5_000, enforceRequestTimeout: true, maxInFlightRequests: 1 },
    ...{ clientId: 'spec', broker: '127.0.0.1:1', logger: log },
  });
  afterAll(() => queue.destroy());

  it('looks for no more of them after a response, and sends the next ones', async () => {
    const sent: number[] = [];
    const push = (correlationId: number): void =>
      queue.push({
        entry: { apiKey: 0, apiName: 'Produce', apiVersion: 7, correlationId, resolve() {}, reject() {} },
        expectResponse: true,
        sendRequest: () => void sent.push(correlationId),
      });
    const answer = (correlationId: number): void =>
      queue.fulfillRequest({ correlationId, payload: Buffer.alloc(0), size: 0 });
    push(1);
    answer(1);
    await sleep(20);
    const looks = jest.spyOn(queue, 'checkPendingRequests');
    await sleep(200);
    expect(looks).not.toHaveBeenCalled();
    push(2);
    push(3);
    expect(sent).toEqual([1, 2]);
    answer(2);
    expect(sent).toEqual([1, 2, 3]);
    answer(3);
  });
});

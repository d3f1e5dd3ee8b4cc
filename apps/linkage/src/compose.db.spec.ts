import { RecordProducer } from '@podium/runtime/kafka';
import { startLinkage } from '../test/running-linkage';

describe('linkage while Kafka is unavailable', () => {
  afterEach(() => jest.restoreAllMocks());

  it('starts, and stops without a fatal error', async () => {
    const start = jest.spyOn(RecordProducer.prototype, 'start');
    const linkage = await startLinkage({ KAFKA_BROKERS: '127.0.0.1:1' });
    await linkage.stop();
    expect(start).toHaveBeenCalledTimes(1);
    await expect(start.mock.results[0].value).rejects.toMatchObject({ name: 'AbortError' });
    expect(linkage.logged.filter((line) => line.startsWith('fatal '))).toEqual([]);
  }, 30_000);
});

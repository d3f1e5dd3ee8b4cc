import { requireTopic } from './require-topic';

describe('the topic that a command needs', () => {
  const askedOf = async (admin: { connect?: () => Promise<void>; listTopics?: () => Promise<string[]> }) => {
    let isClosed = false;
    const kafka = {
      admin: () => ({ connect: async () => undefined, ...admin, disconnect: async () => void (isClosed = true) }),
    } as unknown as Parameters<typeof requireTopic>[0];
    const outcome = await requireTopic(kafka, 'changes').catch((error: Error) => error.message);
    return { outcome, isClosed };
  };

  it('may be there', async () => {
    const listTopics = async () => ['other', 'changes'];
    expect(await askedOf({ listTopics })).toEqual({ outcome: undefined, isClosed: true });
  });

  it('is told to be missing', async () => {
    expect(await askedOf({ listTopics: async () => ['other'] })).toEqual({
      outcome: 'Kafka has no topic changes: run npm run topics first.',
      isClosed: true,
    });
  });

  it('is not waited for when no broker responds', async () => {
    const connect = () => Promise.reject(new Error('connect ECONNREFUSED'));
    expect(await askedOf({ connect })).toEqual({
      outcome: 'No Kafka broker responds: connect ECONNREFUSED. Check the addresses, and that one runs.',
      isClosed: true,
    });
  });
});

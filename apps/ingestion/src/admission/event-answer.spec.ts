import { BatchedAnswer } from '@podium/messages';
import { refused } from '../event/outcome';
import { parseEvent } from '../event/parse-event';
import { answerOf } from './event-answer';

const nowS = Date.UTC(2026, 0, 15, 12) / 1000;

describe('the answer to an event that is ahead of the clock', () => {
  const answerTo = (createdAt: number): Omit<BatchedAnswer, 'body'> & { body: unknown } => {
    const event = { id: 'e-1', name: 'deposit', created_at: createdAt };
    const body = JSON.stringify({ platform: 'acme', platform_user_id: 'player-1', event });
    const parsed = parseEvent(Buffer.from(body), nowS * 1000);
    if (parsed.ok) throw new Error('the event is accepted');
    const answer = answerOf(refused('invalid_request', parsed.problem), 'e-1');
    return { ...answer, body: JSON.parse(answer.body.toString()) as unknown };
  };

  it('is later with the time until the same bytes are accepted, while a clock may be the cause', () => {
    expect(answerTo(nowS + 360)).toMatchObject({
      status: 400,
      retryAfterS: 60,
      body: { error: { code: 'invalid_request', retry: 'later' } },
    });
  });

  it.each([
    ['in milliseconds', nowS * 1000],
    ['an hour ahead', nowS + 3600],
  ])('is never without a time for one that is %s', (_name, createdAt) => {
    expect(answerTo(createdAt)).toMatchObject({
      status: 400,
      retryAfterS: 0,
      body: { error: { code: 'invalid_request', retry: 'never' } },
    });
  });
});

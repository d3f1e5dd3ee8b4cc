import { BatchedEvent } from '@podium/messages';
import { refused, unavailable } from '../event/outcome';
import { refusedEventOf } from './refused-event-of';

type Refused = Parameters<typeof refusedEventOf>[2];

function receivedOf(body: string): BatchedEvent {
  return { platform: 'acme', requestId: 'r-1', receivedAtMs: 1, traceparent: '', body: Buffer.from(body) };
}

const whole = '{"platform":"acme","platform_user_id":"p-1","event":{"id":"e-1","name":"deposit","created_at":1.5}}';

describe('a refused event as its partner sees it', () => {
  it('names the field of a problem, and the event and user of a body that can be read', () => {
    const problem = { field: 'event.created_at', message: 'event.created_at must be an integer.' };
    expect(refusedEventOf(receivedOf(whole), undefined, refused('invalid_request', problem) as Refused)).toEqual({
      ...{ platform: 'acme', eventId: 'e-1', code: 'invalid_request', ...problem },
      ...{ platformUserId: 'p-1', requestId: 'r-1' },
    });
  });

  it.each([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['null', 'null'],
    ['no event', '{"platform":"acme"}'],
    ['an event that is a text', '{"event":"x"}'],
    ['an id that is a number', '{"event":{"id":7},"platform_user_id":7}'],
    ['a blank id', '{"event":{"id":" "},"platform_user_id":" "}'],
    ['an id with NUL', '{"event":{"id":"\\u0000"},"platform_user_id":"\\u0000"}'],
    ['an unpaired surrogate', '{"event":{"id":"\\ud800"},"platform_user_id":"\\ud800"}'],
    ['an id that is too long', `{"event":{"id":"${'x'.repeat(256)}"},"platform_user_id":"${'x'.repeat(256)}"}`],
    ['a large body', whole + ' '.repeat(16 * 1024)],
  ])('has no id in a body with %s', (_name, body) => {
    const outcome = refused('invalid_request', { field: '', message: 'The body is refused.' }) as Refused;
    expect(refusedEventOf(receivedOf(body), undefined, outcome)).toMatchObject({ eventId: '', platformUserId: '' });
  });

  it('names the fields that codes mean, and no user of another platform', () => {
    const event = { platform: 'acme', platformUserId: 'p-2', id: 'e-2', name: 'x', createdAt: 1, attributes: [] };
    const seen = (code: 'event_not_negotiated' | 'user_not_linked' | 'platform_mismatch') =>
      refusedEventOf(receivedOf(whole), code === 'platform_mismatch' ? undefined : event, refused(code) as Refused);
    expect(seen('event_not_negotiated')).toMatchObject({ eventId: 'e-2', field: 'event.name', platformUserId: 'p-2' });
    expect(seen('user_not_linked')).toMatchObject({ field: 'platform_user_id', platformUserId: 'p-2' });
    expect(seen('platform_mismatch')).toMatchObject({ eventId: 'e-1', field: 'platform', platformUserId: '' });
  });

  it('is none for our own faults', () => {
    expect(refusedEventOf(receivedOf(whole), undefined, unavailable as Refused)).toBeUndefined();
  });
});

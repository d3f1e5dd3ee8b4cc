import { competitionKey } from '@podium/messages';
import { readChangeLine } from './read-change-line';

const defaults = { revision: 1, occurredAtMs: 1 };
const deletion = (revision: string): string => `{"kind":"hub","id":"h","deleted":true,"revision":${revision}}`;

describe('a line of a file of changes', () => {
  it('may have a revision up to the highest that is applied', () => {
    const line = readChangeLine(deletion('9007199254740991'), defaults);
    expect(line).toMatchObject({ ok: true, key: competitionKey('hub', 'h') });
    expect(line.ok && JSON.parse(String(line.value))).toMatchObject({ revision: 9_007_199_254_740_991 });
  });

  it.each(['9007199254740992', '9007199254740993', '1e300'])('is refused with revision %s', (revision) => {
    const refused = { ok: false, reason: 'revision: must not be above 9007199254740991' };
    expect(readChangeLine(deletion(revision), defaults)).toEqual(refused);
    const record = {
      ...{ id: 'r', type: 'competition.document.deleted', schema_version: 2, occurred_at: 1, key: 'hub:h' },
      ...{ source: 'competition', data: { kind: 'hub', id: 'h' } },
    };
    const whole = JSON.stringify(record).replace(/}$/, `,"revision":${revision}}`);
    expect(readChangeLine(whole, defaults)).toEqual(refused);
  });
});

import { CompetitionChange, competitionKey } from '@podium/messages';
import { sampleChange } from '../../../competition-read/test/sample';
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
    const refused = { ok: false, reason: 'revision is above 2^53 - 1' };
    expect(readChangeLine(deletion(revision), defaults)).toEqual(refused);
    const record = {
      ...{ id: 'r', type: 'competition.document.deleted', schema_version: 2, occurred_at: 1, key: 'hub:h' },
      ...{ source: 'competition', data: { kind: 'hub', id: 'h' } },
    };
    const whole = JSON.stringify(record).replace(/}$/, `,"revision":${revision}}`);
    expect(readChangeLine(whole, defaults)).toEqual(refused);
  });

  it('is refused with an id that is not that of the document, or a key that is not that of the id', () => {
    const reasonOf = (record: CompetitionChange): unknown => {
      const line = readChangeLine(JSON.stringify(record), defaults);
      return line.ok || line.reason;
    };
    const document = { hub_id: 'inner' };
    expect(reasonOf(sampleChange('hub', { document }))).toBe(true);
    const isOther = 'data.id is "outer", the document\'s own is "inner"';
    expect(reasonOf(sampleChange('hub', { document, id: 'outer' }))).toBe(isOther);
    const isElsewhere = 'the record key is not that of hub inner';
    expect(reasonOf({ ...sampleChange('hub', { document }), key: 'hub:outer' })).toBe(isElsewhere);
  });

  it('is refused with what the projector refuses, as statistics that are repeated for too many players', () => {
    const players = Array.from({ length: 200 }, (_, at) => ({ nickname: '', player_id: `p${at}`, player_stats: {} }));
    const lineOf = (mapName: string): string => {
      const ids = {
        best_of: '1',
        competition_id: 'c',
        game_id: 'cs2',
        game_mode: '5v5',
        match_id: 'm',
        match_round: '1',
      };
      const teams = [{ premade: false, team_id: 't', team_stats: {}, players }];
      const round = { ...ids, played: '1', round_stats: { Map: mapName }, teams };
      return JSON.stringify({
        kind: 'match-stats',
        id: 'm',
        document: { rounds: [round] },
        beside: { finished_at: 1 },
      });
    };
    expect(readChangeLine(lineOf('Mirage'), defaults).ok).toBe(true);
    const reason = expect.stringContaining('repeated for each player') as string;
    expect(readChangeLine(lineOf('x'.repeat(50_000)), defaults)).toEqual({ ok: false, reason });
  });
});

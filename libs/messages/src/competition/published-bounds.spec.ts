import Ajv, { ValidateFunction } from 'ajv';
import * as fc from 'fast-check';
import { EventDefinition, decodeRecord, recordSchema } from '../envelope';
import { topics } from '../topics';
import { changeDefinitionOf } from './changes';

const { events } = topics.competitionChanges;
const ajv = new Ajv({ strict: false });

function validatorOf(definition: EventDefinition): ValidateFunction {
  return ajv.compile(recordSchema(definition));
}

function record(type: string, data: object) {
  return { id: 'r', type, schema_version: 1, revision: 7, occurred_at: 1, key: 'k', source: 'competition', data };
}

function decoded(value: unknown): ReturnType<typeof decodeRecord> {
  return decodeRecord(events, Buffer.from(JSON.stringify(value)));
}

const roleOf = (name: string, roleId = 'ROLE') =>
  record('competition.hub-role.changed', {
    id: 'HUB:ROLE',
    beside: { hub_id: 'HUB' },
    document: { role_id: roleId, name, color: '#0af', ranking: 1, visible_on_chat: true },
  });

const banOf = (endsAt: string) =>
  record('competition.player-ban.changed', {
    id: 'b',
    document: {
      ...{ nickname: 'ada', type: 'cheating', reason: '', game: 'cs2', user_id: 'u' },
      ...{ starts_at: '2024-02-29T00:00:00Z', ends_at: endsAt },
    },
  });

/** Texts about a length in characters, of one to four bytes each. */
const about = (length: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom('a', 'é', '漢', '😀', '\u{10ffff}', '\u007e'), { minLength: 1, maxLength: 4 })
    .chain((unit) =>
      fc
        .integer({ min: length - 2, max: length + 2 })
        .map((count) => Array.from({ length: count }, (_, at) => unit[at % unit.length]).join('')),
    );

describe('what the published schemas of competition data allow', () => {
  const role = validatorOf(changeDefinitionOf('hub-role'));
  const ban = validatorOf(changeDefinitionOf('player-ban'));

  it('is what is decoded, for names and ids about their greatest length, with control characters or without', () => {
    const ending = fc.constantFrom('', '', '\u0000', '\u001f', '\u007f', '\n');
    fc.assert(
      fc.property(about(256), about(128), ending, (name, id, end) => {
        for (const value of [roleOf(name + end), roleOf('Referee', id + end)])
          expect([value, decoded(value).ok]).toEqual([value, role(value)]);
      }),
      { numRuns: 300 },
    );
  });

  it('includes names of as many characters as it says, of whatever size each is', () => {
    for (const character of ['a', '漢', '😀'])
      for (const [count, isAllowed] of [
        [256, true],
        [257, false],
      ] as const) {
        const value = roleOf(character.repeat(count));
        expect([character, count, decoded(value).ok]).toEqual([character, count, isAllowed]);
      }
    expect(decoded(roleOf('😀'.repeat(257)))).toMatchObject({
      ok: false,
      reason: '/data/document/name: Expected string length less or equal to 256',
    });
  });

  it('is less strict only where a text has half of a surrogate pair, which no column can hold', () => {
    for (const half of ['\ud83d', '\ude00', `${'😀'.repeat(200)}\ud83d`]) {
      expect(role(roleOf(half))).toBe(true);
      expect(decoded(roleOf(half))).toMatchObject({
        ok: false,
        reason: expect.stringContaining('/data/document/name'),
      });
    }
  });

  it('is less strict for whole numbers that a double does not hold exactly', () => {
    const hub = validatorOf(changeDefinitionOf('hub'));
    const hubOf = (players: number) =>
      record('competition.hub.changed', {
        id: 'HUB',
        document: {
          ...{ avatar: '', background_image: '', chat_room_id: '', cover_image: '', description: '', platform_url: '' },
          ...{ game_id: 'cs2', hub_id: 'HUB', join_permission: 'PUBLIC', max_skill_level: 10, min_skill_level: 1 },
          ...{ name: 'Hub', organizer_id: 'podium', players_joined: players, region: 'EU', rule_id: '' },
        },
      });
    for (const [players, isExact] of [
      [2 ** 53 - 1, true],
      [1 - 2 ** 53, true],
      [2 ** 53, false],
      [-(2 ** 53), false],
      [1e21, false],
    ] as const) {
      const value = hubOf(players);
      expect([players, hub(value), decoded(value).ok]).toEqual([players, true, isExact]);
    }
    expect(decoded(hubOf(1e21))).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/^\/data\/document\/players_joined: Expected integer/) as string,
    });
  });

  it('has times of dates that exist', () => {
    const day = fc.record({
      year: fc.integer({ min: 1, max: 9999 }),
      month: fc.integer({ min: 0, max: 13 }),
      date: fc.integer({ min: 0, max: 32 }),
    });
    const digits = (value: number, length: number): string => String(value).padStart(length, '0');
    fc.assert(
      fc.property(day, ({ year, month, date }) => {
        const text = `${digits(year, 4)}-${digits(month, 2)}-${digits(date, 2)}T12:00:00Z`;
        const ms = Date.parse(text);
        const exists = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text.slice(0, 10));
        expect([text, decoded(banOf(text)).ok, ban(banOf(text))]).toEqual([text, exists, exists]);
      }),
      { numRuns: 500 },
    );
    for (const [text, exists] of [
      ['2026-02-30T00:00:00Z', false],
      ['2026-02-29T00:00:00Z', false],
      ['2024-02-29T23:59:59.123456789+05:45', true],
      ['1900-02-29T00:00:00Z', false],
      ['2000-02-29T00:00:00Z', true],
      ['2026-04-31T00:00:00Z', false],
      ['2026-12-31t00:00:00z', false],
    ] as const)
      expect([text, decoded(banOf(text)).ok, ban(banOf(text))]).toEqual([text, exists, exists]);
  });
});

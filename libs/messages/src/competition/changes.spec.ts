import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { anyText, arbitraryOf } from '@podium/testing/schema-arbitrary';
import * as fc from 'fast-check';
import { recordKey } from '../keys';
import { RecordOf, decodeRecord, encodeRecord } from '../envelope';
import { topics } from '../topics';
import {
  CompetitionChange,
  changeDefinitionOf,
  changedDocument,
  competitionDocumentDeleted,
  competitionKey,
} from './changes';
import { indexFields } from './index-fields';
import { CompetitionKind, competitionIdOf, competitionKindNames, competitionKinds, isCompetitionKind } from './kinds';

const { events } = topics.competitionChanges;

function changes(kind: CompetitionKind): fc.Arbitrary<CompetitionChange> {
  const { document, beside } = competitionKinds[kind];
  return fc.record({ document: arbitraryOf(document), beside: arbitraryOf(beside) }).map((data) => {
    const id = competitionIdOf(kind, data.document as never, data.beside as never) ?? 'any';
    return { ...record(competitionKey(kind, id)), type: `competition.${kind}.changed`, data: { id, ...data } } as never;
  });
}

function record(key: string) {
  return { id: 'r', schema_version: 1, revision: 7, occurred_at: 1, key, source: 'competition' };
}

function decoded(value: unknown) {
  return decodeRecord(events, Buffer.from(JSON.stringify(value)));
}

describe('competition changes', () => {
  it.each(competitionKindNames)('carry a whole document of %s and its kind', (kind) => {
    fc.assert(
      fc.property(changes(kind), (change) => {
        const definition = changeDefinitionOf(kind);
        const bytes = encodeRecord(definition, change as RecordOf<typeof definition>);
        const read = decodeRecord(events, bytes);
        if (!read.ok) throw new Error(read.reason);
        expect(JSON.stringify(read.record.data)).toBe(JSON.stringify(change.data));
        expect(changedDocument(read.record)).toEqual({ kind, id: change.data.id });
      }),
      { numRuns: 20 },
    );
  });

  it.each(competitionKindNames)(
    'refuse a %s without a field that it must have, and without what belongs beside it',
    (kind) => {
      const { document, beside } = competitionKinds[kind];
      const [change] = fc.sample(changes(kind), { numRuns: 1, seed: 1 });
      for (const field of document.required ?? []) {
        const copy = structuredClone(change) as { data: { document: Record<string, unknown> } };
        delete copy.data.document[field];
        expect(decoded(copy)).toMatchObject({ ok: false, reason: expect.stringContaining(`/document/${field}`) });
      }
      const bare = structuredClone(change) as { data: { beside?: unknown } };
      delete bare.data.beside;
      expect(decoded(bare).ok).toBe(beside === indexFields.none);
    },
  );

  it('identify the deleted document', () => {
    const data = { kind: 'hub-member', id: 'h:u' } as const;
    const read = decodeRecord(
      events,
      encodeRecord(competitionDocumentDeleted, { ...record('hub-member:h%3Au'), data }),
    );
    expect(read.ok && changedDocument(read.record)).toEqual(data);
    expect(decoded({ ...record('x'), type: competitionDocumentDeleted.type, data: { kind: 'x', id: 'y' } }).ok).toBe(
      false,
    );
  });

  it('have the ids and keys that the page for producers shows', () => {
    const page = readFileSync(resolve(__dirname, '../../../../docs/competition-data.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `([a-z-]+)` +\| (`.*`) +\| `(\S+)` +\| `(\S+)` +\|$/gm)];
    expect(rows.length).toBe(3);
    for (const [, kind, parts, id, key] of rows) {
      const [first, ...others] = [...parts.matchAll(/`([^`]*)`/g)].map(([, part]) => part);
      expect([id, key]).toEqual([
        others.length === 0 ? first : recordKey(first, ...others),
        competitionKey(kind as CompetitionKind, id),
      ]);
    }
  });

  it('accept only kinds of the table', () => {
    expect(competitionKindNames.every(isCompetitionKind)).toBe(true);
    expect(isCompetitionKind('constructor')).toBe(false);
  });
});

describe('fields of sort keys and rank keys', () => {
  const [player] = fc.sample(changes('player'), { numRuns: 1, seed: 1 });
  const [ban] = fc.sample(changes('player-ban'), { numRuns: 1, seed: 1 });
  const banned = (starts_at: string) => {
    const copy = structuredClone(ban) as { data: { document: object } };
    Object.assign(copy.data.document, { starts_at });
    return decoded(copy).ok;
  };
  const rated = (platform_elo: number, key = 'cs2') => {
    const copy = structuredClone(player) as { data: { document: { games: Record<string, object> } } };
    const game = {
      game_player_id: '',
      game_player_name: '',
      game_profile_id: '',
      region: 'EU',
      regions: {},
      skill_level: 1,
      skill_level_label: '1',
    };
    copy.data.document.games = { [key]: { ...game, platform_elo } };
    return decoded(copy).ok;
  };

  it('accept only valid times', () => {
    fc.assert(
      fc.property(arbitraryOf(indexFields.championship), ({ created_at }) => {
        expect(Date.parse(created_at)).not.toBeNaN();
      }),
      { numRuns: 1000 },
    );
    expect(banned('2024-02-29T23:59:59.123Z')).toBe(true);
    expect(banned('2024-02-29T23:59:59+02:00')).toBe(true);
    for (const text of ['2024-13-01T00:00:00Z', '2024-01-01', '2024-01-01T00:00:00', '2024-01-01T24:00:00Z', 'now', ''])
      expect(banned(text)).toBe(false);
  });

  it('accept only 32-bit ratings', () => {
    for (const elo of [0, -1, 2 ** 31 - 1, -(2 ** 31)]) expect(rated(elo)).toBe(true);
    for (const elo of [2 ** 31, -(2 ** 31) - 1, 1.5]) expect(rated(elo)).toBe(false);
  });

  it('refuse names of games that columns cannot store', () => {
    for (const key of ['cs2', 'ä\u{1f600}b', 'x'.repeat(128)]) expect(rated(1, key)).toBe(true);
    for (const key of ['a\u0000', 'a\ud800', '\udc00', 'x'.repeat(129)]) expect(rated(1, key)).toBe(false);
    expect(rated(1.5, 'cs2')).toBe(false);
  });

  it('refuse ids that columns cannot store', () => {
    const withId = (id: string) => decoded({ ...player, data: { ...player.data, id } }).ok;
    for (const id of ['a:b', 'ä\u{1f600}b']) expect(withId(id)).toBe(true);
    for (const id of ['', 'a\u0000', 'a\ud800', 'x'.repeat(1025)]) expect(withId(id)).toBe(false);
  });
});

describe('ids of documents', () => {
  it('distinguish parts that contain the separator', () => {
    const member = (hub_id: string, user_id: string) =>
      competitionIdOf('hub-member', { user_id } as never, { hub_id, joined_at: 0 });
    expect(member('h', 'u')).toBe('h:u');
    expect(member('a:b', 'c')).not.toBe(member('a', 'b:c'));
    fc.assert(
      fc.property(anyText, anyText, (hub, user) => {
        fc.pre(hub.isWellFormed() && user.isWellFormed());
        expect(member(hub, user)?.split(':').map(decodeURIComponent)).toEqual([hub, user]);
      }),
    );
  });
});

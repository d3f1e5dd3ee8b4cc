import { createHash } from 'node:crypto';
import {
  CompetitionChange,
  changeDefinitionOf,
  changedDocument,
  competitionIdOf,
  competitionKey,
  competitionKindNames,
  decodeRecord,
  recordKey,
} from '@podium/messages';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { closedSchema } from '../test/closed-schema';
import { referencesOf } from '../test/references';
import { worldChanges } from './changes';
import { WorldDocument } from './documents/document';
import { WorldOptions } from './options';

const smallest: WorldOptions = { players: 200, matches: 100, seed: 1, nowS: 1_792_540_800 };

describe('worldChanges', () => {
  const changes = [...worldChanges(smallest)].flat();
  const documents = changes.map(documentOf);

  it('gives equal changes for equal options, and others for another seed or time', () => {
    const hash = hashOf(smallest);
    expect(hashOf(smallest)).toBe(hash);
    expect(hashOf({ ...smallest, seed: 2 })).not.toBe(hash);
    expect(hashOf({ ...smallest, nowS: smallest.nowS + 86_400 })).not.toBe(hash);
  });

  it('replaces itself on a later day: the same documents with higher revisions', () => {
    const later = [...worldChanges({ ...smallest, nowS: smallest.nowS + 86_400 })].flat();
    expect(later.map(({ key }) => key)).toEqual(changes.map(({ key }) => key));
    for (const [place, { revision }] of later.entries()) expect(revision).toBeGreaterThan(changes[place].revision);
  });

  it('gives batches of at most the requested size, without losses between them', () => {
    const batches = [...worldChanges(smallest, 7)];
    expect(Math.max(...batches.map((batch) => batch.length))).toBe(7);
    expect(batches.flat()).toEqual(changes);
  });

  it('is fast enough for a start of the stack', () => {
    expect(changes.length).toBeLessThan(3_000);
  });

  it.each(competitionKindNames)('has %s documents that match their schema without further fields', (kind) => {
    const ofKind = changes.filter((change) => changedDocument(change).kind === kind);
    expect(ofKind).not.toHaveLength(0);
    const definition = changeDefinitionOf(kind);
    const check = TypeCompiler.Compile(closedSchema(definition.data));
    for (const change of ofKind) {
      expect(decodeRecord([definition], Buffer.from(JSON.stringify(change)))).toEqual({ ok: true, record: change });
      expect([...check.Errors(change.data)]).toEqual([]);
    }
  });

  it('gives every document one change, under its own id and key', () => {
    const keys = new Set<string>();
    for (const [place, { kind, id, document, beside }] of documents.entries()) {
      const { key, revision, source } = changes[place];
      expect(key).toBe(competitionKey(kind, id));
      expect({ revision, source }).toEqual({ revision: smallest.nowS, source: 'competition-generate' });
      expect([id, null]).toContain(competitionIdOf(kind, document, beside));
      keys.add(key);
    }
    expect(keys.size).toBe(changes.length);
  });

  it.each([
    smallest,
    { ...smallest, seed: 7, players: 217, matches: 333 },
    { ...smallest, seed: 4_294_967_295, players: 1_000, matches: 200 },
  ])('refers only to existing documents: %j', (options) => {
    const world = [...worldChanges(options)].flat();
    const keys = new Set(world.map(({ key }) => key));
    const missing = world.map(documentOf).flatMap((content) =>
      referencesOf(content)
        .filter(([kind, ...parts]) => !keys.has(competitionKey(kind, recordKey(...nonEmpty(parts)))))
        .map((reference) => [content.kind, content.id, ...reference]),
    );
    expect(missing).toEqual([]);
  });

  it('gives every player a unique nickname, the same in all documents', () => {
    const nicknames = new Map(ofKind('player').map(({ id, document }) => [id, document.nickname]));
    expect(new Set(nicknames.values()).size).toBe(smallest.players);
    for (const { document } of ofKind('hub-member')) expect(document.nickname).toBe(nicknames.get(document.user_id));
    for (const { document } of ofKind('match'))
      for (const { player_id, nickname } of Object.values(document.teams).flatMap(({ roster }) => roster))
        expect(nickname).toBe(nicknames.get(player_id));
  });

  it('ranks players only in regions of their games, many with the same rating', () => {
    const regions = new Map(ofKind('game').map(({ id, document }) => [id, document.regions]));
    const ratings: number[] = [];
    for (const { document } of ofKind('player'))
      for (const [game, { region, platform_elo }] of Object.entries(document.games)) {
        expect(regions.get(game)).toContain(region);
        ratings.push(platform_elo);
      }
    expect(ratings.filter((elo) => elo === 1000).length).toBeGreaterThan(ratings.length / 6);
  });

  it('has counts in hubs and championships that match their documents', () => {
    for (const { id, document } of ofKind('hub'))
      expect(document.players_joined).toBe(ofKind('hub-member').filter(({ beside }) => beside.hub_id === id).length);
    const subscriptions = ofKind('championship-subscription');
    for (const { id, document } of ofKind('championship'))
      expect(document.current_subscriptions).toBe(
        subscriptions.filter(({ beside }) => beside.championship_id === id).length,
      );
  });

  it('gives a match ten players, and results, statistics and an end once it is finished', () => {
    const stats = new Map(ofKind('match-stats').map(({ id, beside }) => [id, beside.finished_at]));
    const histories = new Map(ofKind('match-history').map(({ id, document }) => [id, document]));
    for (const { id, document } of ofKind('match')) {
      const players = Object.values(document.teams).flatMap(({ roster }) => roster.map(({ player_id }) => player_id));
      expect(new Set(players).size).toBe(10);
      const isFinished = document.status === 'FINISHED';
      expect(document.results !== undefined).toBe(isFinished);
      expect(document.finished_at !== undefined).toBe(isFinished);
      expect(stats.get(id)).toBe(document.finished_at);
      expect(histories.get(id)?.playing_players).toEqual(isFinished ? players : undefined);
      expect(document.started_at ?? 0).toBeLessThan(document.finished_at ?? Infinity);
    }
  });

  it('has every state of a match, a championship and a tournament', () => {
    const states = (kind: 'match' | 'championship' | 'tournament') =>
      [...new Set(ofKind(kind).map(({ document }) => document.status))].sort();
    expect(states('match')).toEqual([
      'CANCELLED',
      'CONFIGURING',
      'FINISHED',
      'ONGOING',
      'READY',
      'SCHEDULED',
      'VOTING',
    ]);
    expect(states('championship')).toEqual([
      'adjustment',
      'cancelled',
      'finished',
      'join',
      'ongoing',
      'started',
      'upcoming',
    ]);
    expect(states('tournament')).toEqual(['cancelled', 'created', 'finished', 'join', 'started']);
  });

  function ofKind<K extends WorldDocument['kind']>(kind: K): Extract<WorldDocument, { kind: K }>[] {
    return documents.filter((content): content is Extract<WorldDocument, { kind: K }> => content.kind === kind);
  }
});

function documentOf(change: CompetitionChange): WorldDocument {
  return { ...changedDocument(change), ...change.data } as WorldDocument;
}

function hashOf(options: WorldOptions): string {
  const hash = createHash('sha256');
  for (const batch of worldChanges(options)) hash.update(JSON.stringify(batch));
  return hash.digest('hex');
}

function nonEmpty(parts: readonly string[]): [string, ...string[]] {
  const [first, ...rest] = parts;
  return [first, ...rest];
}

import { CompetitionKind, publicNameMark, servedText } from '@podium/messages';
import { sampleChange } from '../../test/sample';
import { contentOf, project } from './project';
import type { Projection } from './projection';
import { typeClass } from './type-class';

describe('list rows of documents', () => {
  it('lists a championship under its game and its organizer', () => {
    const projection = projected('championship', {
      document: {
        championship_id: 'c1',
        game_id: 'cs2',
        organizer_id: 'esl',
        status: 'adjustment',
        championship_start: 1_700_000_000_500,
      },
      beside: { published: true, created_at: '2024-05-06T07:08:09Z' },
    });
    const createdAtMs = Date.UTC(2024, 4, 6, 7, 8, 9);
    expect(places(projection)).toEqual([
      'championshipsOfGame cs2 [] 1700000000500 c1',
      'championshipsOfGame cs2 [ongoing] 1700000000500 c1',
      `championshipsOfOrganizer esl [] ${createdAtMs} c1`,
      `championshipsOfOrganizer esl [published] ${createdAtMs} c1`,
    ]);
  });

  it('leaves an unpublished championship and an unknown status out of the filtered lists', () => {
    const projection = projected('championship', { document: { championship_id: 'c1', status: 'paused' } });
    expect(projection.listings.map(({ filter }) => filter)).toEqual(['', '']);
  });

  it('sorts a match by its best known time', () => {
    const match = { competition_type: 'hub', competition_id: 'h:1', match_id: '1-m', status: 'VOTING' };
    expect(places(projected('match', { document: { ...match, scheduled_at: 20, configured_at: 30 } }))).toEqual([
      'matchesOfCompetition hub:h%3A1 [] 20 1-m',
      'matchesOfCompetition hub:h%3A1 [ongoing] 20 1-m',
    ]);
    expect(projected('match', { document: { ...match, started_at: 40, scheduled_at: 20 } }).listings[0].sort).toBe(40);
    expect(projected('match', { document: match }).listings[0].sort).toBe(0);
  });

  it('lists a match once in the history of each player', () => {
    const document = { match_id: '1-m', game_id: 'cs2', finished_at: 50, playing_players: ['p1', 'p2', 'p1'] };
    expect(places(projected('match-history', { document }))).toEqual([
      'historyOfPlayer p1 [cs2] 50 1-m',
      'historyOfPlayer p2 [cs2] 50 1-m',
    ]);
  });

  it('gives each round a body for each player, with figures of round, team and player', () => {
    const player = { player_id: 'p1', nickname: 'Nick', player_stats: { Kills: '20', Result: '1' } };
    const round = {
      best_of: '3',
      competition_id: 'h1',
      game_id: 'cs2',
      game_mode: '5v5',
      match_id: '1-m',
      match_round: '2',
      played: '1',
      round_stats: { Map: 'de_dust2', Score: '13 / 7' },
      teams: [{ players: [player], premade: false, team_id: 't1', team_stats: { Team: 'Reds', Result: '0' } }],
    };
    const projection = projected('match-stats', { document: { rounds: [round] }, beside: { finished_at: 1_700 } });
    expect(places(projection)).toEqual(['matchStatsOfPlayer p1 [cs2] 1700000 1-m:2']);
    expect(JSON.parse(String(projection.listings[0].body))).toEqual({
      stats: {
        'Best Of': '3',
        'Competition Id': 'h1',
        Game: 'cs2',
        'Game Mode': '5v5',
        Kills: '20',
        Map: 'de_dust2',
        'Match Finished At': 1_700_000,
        'Match Id': '1-m',
        'Match Round': '2',
        Nickname: 'Nick',
        'Player Id': 'p1',
        Result: '1',
        Score: '13 / 7',
        Team: 'Reds',
      },
    });
  });

  it('distinguishes the leaderboards of a competition', () => {
    const filters = (document: object) =>
      projected('leaderboard', { document: { leaderboard_id: 'l', start_date: 5, ...document } }).listings.map(
        ({ owner, filter }) => `${owner} ${filter}`,
      );
    expect(filters({ competition_type: 'championship', competition_id: 'c', group: 2 })).toEqual([
      'championship:c ',
      'championship:c group:2',
    ]);
    const hub = { competition_type: 'hub', competition_id: 'h', season: 7 };
    expect(filters({ ...hub, leaderboard_type: 'hub_general' })).toEqual(['hub:h ', 'hub:h general']);
    expect(filters({ ...hub, leaderboard_type: 'hub_season' })).toEqual(['hub:h ', 'hub:h season:7']);
    expect(filters({ ...hub, leaderboard_type: 'event' })).toEqual(['hub:h ']);
  });

  it('lists a tournament under every game and region, and a past one not among the upcoming', () => {
    const document = { tournament_id: 't', organizer_id: 'o', game_id: 'cs2', region: 'EU', started_at: 9 };
    expect(places(projected('tournament', { document: { ...document, status: 'started' } }))).toEqual([
      'tournamentsOfOrganizer o [upcoming] 9 t',
      'tournaments  [] 9 t',
      'tournaments  [EU] 9 t',
      'tournaments cs2 [] 9 t',
      'tournaments cs2 [EU] 9 t',
    ]);
    expect(projected('tournament', { document: { ...document, status: 'cancelled' } }).listings[0].filter).toBe('past');
  });

  it('has separate rows for two teams of one player in one tournament', () => {
    const row = (team_id: string) =>
      projected('tournament-team', {
        document: { team_id },
        beside: { tournament_id: 't', lists: ['joined', 'started'], player_ids: ['p1'], joined_at: 100 },
      });
    const [first, second] = [row('red'), row('blue')];
    expect(places(first).slice(0, 3)).toEqual([
      'teamsOfTournament t [joined] 100 t:red',
      'teamsOfTournament t [started] 100 t:red',
      'tournamentsOfTeam red [] 100 t',
    ]);
    const sorts = [first, second].map(
      ({ listings }) => listings.find(({ list }) => list === 'tournamentsOfPlayer')!.sort,
    );
    expect(sorts[0]).not.toBe(sorts[1]);
    expect(sorts.map((sort) => Math.floor(sort / 2 ** 20))).toEqual([100, 100]);
    const [sort] = sorts;
    expect(places(first).slice(3)).toEqual([
      `tournamentsOfPlayer p1 [] ${sort} t`,
      `tournamentsOfPlayer p1 [t] ${sort} t`,
    ]);
  });

  it('has no row for a name that is too long for an index', () => {
    const document = { game: '字'.repeat(128), entityType: '字'.repeat(128), entityId: 'e', id: 'q', region: 'EU' };
    expect(projected('queue', { document }).listings.map(({ list }) => list)).toEqual(['queuesOfRegion']);
  });
});

describe('ranking entries and search items of documents', () => {
  const player = projected('player', {
    document: {
      player_id: 'p1',
      nickname: 'Nick',
      country: 'DE',
      verified: true,
      games: { cs2: playerGame('EU', 2_100, 10, 'steam-1'), dota2: playerGame('', 1_500, 7, '') },
    },
    beside: { status: 'active' },
  });

  it('ranks a player by region and by country there', () => {
    expect(player.boards.map(({ board, score, playerId }) => [board, score, playerId])).toEqual([
      ['global:cs2:EU', 2_100, 'p1'],
      ['global:cs2:EU:de', 2_100, 'p1'],
    ]);
    expect(JSON.parse(servedText(player.boards[0].body, 'acme'))).toEqual({
      country: 'de',
      acme_elo: 2_100,
      game_skill_level: 10,
      nickname: 'Nick',
      player_id: 'p1',
    });
  });

  it('finds a player by nickname, by game account id and by search', () => {
    expect(places(player)).toEqual(['playersByNickname Nick [] 0 p1', 'playersByGameId cs2:steam-1 [] 0 p1']);
    const [{ name, tags, body }] = player.names;
    expect([name, tags]).toEqual(['Nick', ['country:de', 'game:cs2', 'game:dota2']]);
    expect(JSON.parse(body)).toEqual({
      avatar: '',
      country: 'DE',
      games: [
        { name: 'cs2', skill_level: '10' },
        { name: 'dota2', skill_level: '7' },
      ],
      nickname: 'Nick',
      player_id: 'p1',
      status: 'active',
      verified: true,
    });
  });

  it('shows a championship in searches with its start in seconds', () => {
    const { names } = projected('championship', {
      document: {
        championship_id: 'c1',
        name: 'Cup',
        game_id: 'cs2',
        region: 'EU',
        status: 'join',
        championship_start: 1_700_000_000_999,
        current_subscriptions: 3,
        slots: 16,
        total_prizes: 500,
      },
    });
    expect(names[0].tags).toEqual(['game:cs2', 'region:EU', 'type:upcoming']);
    expect(JSON.parse(names[0].body)).toMatchObject({
      started_at: 1_700_000_000,
      players_joined: 3,
      number_of_members: 3,
      slots: 16,
      total_prize: '500',
    });
    expect(JSON.parse(names[0].body)).not.toHaveProperty('organizer_name');
  });

  it('gives an organizer the short form that searches of competitions show', () => {
    const { summary, listings } = projected('organizer', {
      document: { organizer_id: 'esl', name: 'ESL', type: 'organization' },
      beside: { games: ['dota2', 'cs2', 'dota2'] },
    });
    expect(summary).toBe('{"organizer_name":"ESL","organizer_type":"organization"}');
    expect(listings.map(({ list, owner, sort, id }) => [list, owner, sort, id])).toEqual([
      ['organizersByName', 'ESL', 0, 'esl'],
      ['gamesOfOrganizer', 'esl', 0, 'dota2'],
      ['gamesOfOrganizer', 'esl', 1, 'cs2'],
    ]);
  });

  it('ranks an entry the same when its body has no position', () => {
    const { boards, body } = projected('league-player', {
      document: { points: -5 },
      beside: { league_id: 'l', season_id: 3, player_id: 'p1' },
    });
    expect(boards).toEqual([{ board: 'league:l:3', score: -5, playerId: 'p1', body }]);
  });

  it('marks the public name where the schema declares it, and nowhere else', () => {
    const { body } = projected('hub', { document: { hub_id: 'h', platform_url: 'u', platform_x: 'mine' } as object });
    expect(body).toContain(`"${publicNameMark}url":"u"`);
    expect(body).toContain('"platform_x":"mine"');
  });
});

describe('the type class of a status', () => {
  it.each([
    ['championship', 'upcoming', 'upcoming'],
    ['championship', 'started', 'ongoing'],
    ['championship', 'finished', 'past'],
    ['match', 'SCHEDULED', 'upcoming'],
    ['match', 'READY', 'ongoing'],
    ['match', 'CANCELLED', 'past'],
    ['match', 'cancelled', null],
    ['tournament', 'created', 'upcoming'],
    ['tournament', 'started', 'ongoing'],
    ['tournament', 'constructor', null],
  ] as const)('of a %s that is %s', (kind, status, expected) => {
    expect(typeClass(kind, status)).toBe(expected);
  });
});

function projected<K extends CompetitionKind>(kind: K, given: Parameters<typeof sampleChange<K>>[1]): Projection {
  return project(contentOf(sampleChange(kind, given))!);
}

function places({ listings }: Projection): string[] {
  return listings.map(({ list, owner, filter, sort, id }) => `${list} ${owner} [${filter}] ${sort} ${id}`);
}

function playerGame(region: string, platform_elo: number, skill_level: number, game_player_id: string) {
  return {
    platform_elo,
    game_player_id,
    game_player_name: '',
    game_profile_id: '',
    region,
    regions: {},
    skill_level,
    skill_level_label: '',
  };
}

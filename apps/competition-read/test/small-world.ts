import { CompetitionChange } from '@podium/messages';
import { sampleChange } from './sample';

/** Ids of the small world; a recognisable UUID for each, so that a mix-up is visible. */
export const world = {
  game: 'cs2',
  regionalGame: 'cs2_sea',
  organizer: 'podium',
  championship: 'c0000000-0000-4000-8000-000000000001',
  hub: 'b0000000-0000-4000-8000-000000000001',
  tournament: 'd0000000-0000-4000-8000-000000000001',
  match: '1-e0000000-0000-4000-8000-000000000001',
  players: [1, 2, 3, 4, 5].map((n) => `a0000000-0000-4000-8000-00000000000${n}`),
  team: 'f0000000-0000-4000-8000-000000000001',
  leaderboards: {
    group: '6500000000000000000000a1',
    general: '6500000000000000000000a2',
    season: '6500000000000000000000a3',
  },
  league: '10000000-0000-4000-8000-000000000001',
  matchmaking: '20000000-0000-4000-8000-000000000001',
  queues: ['6600000000000000000000b1', '6600000000000000000000b2'],
} as const;

/** When the matches of the small world ended, Unix seconds. */
export const finishedAt = 1_767_225_600;

/** Documents of every kind that refer to each other; some kinds have several. */
export function smallWorld(): CompetitionChange[] {
  const { game, organizer, championship, hub, tournament, match, players, team, leaderboards, league } = world;
  const [player] = players;
  const member = {
    user_id: player,
    nickname: 'night-owl',
    country: 'de',
    platform_url: 'https://podium.example/{lang}',
  };
  return [
    ...[game, world.regionalGame].map((id, order) =>
      sampleChange('game', {
        document: { game_id: id, order, parent_game_id: id === game ? '' : game, regions: ['EU', 'US'] },
      }),
    ),
    sampleChange('organizer', {
      document: { organizer_id: organizer, name: 'Podium Cups', type: 'organization' },
      beside: { games: [game, world.regionalGame] },
    }),
    sampleChange('organizer', { document: { organizer_id: 'rival', name: 'Rival', type: 'user' } }),
    ...['started', 'finished', 'join'].map((status, index) =>
      sampleChange('championship', {
        document: {
          championship_id: championship.replace(/1$/, String(index + 1)),
          id: championship.replace(/1$/, String(index + 1)),
          name: `Winter Cup ${index + 1}`,
          game_id: game,
          organizer_id: organizer,
          region: 'EU',
          status,
          championship_start: (finishedAt + index) * 1000,
          platform_url: 'https://podium.example/{lang}/championship',
          prizes: [{ rank: 1, platform_points: 500 }],
        },
        beside: { published: index !== 2, created_at: `2026-01-0${index + 1}T00:00:00Z` },
      }),
    ),
    ...[1, 2].map((left) =>
      sampleChange('championship-result', {
        id: `result-${left}`,
        document: { bounds: { left, right: left } },
        beside: { championship_id: championship },
      }),
    ),
    sampleChange('championship-subscription', { id: 'subscription-1', beside: { championship_id: championship } }),
    ...(['championship', 'hub', 'tournament'] as const).flatMap((type, place) =>
      ['SCHEDULED', 'ONGOING', 'FINISHED'].map((status, index) =>
        sampleChange('match', {
          document: {
            match_id: match.replace(/1$/, String(1 + place * 3 + index)),
            competition_type: type,
            competition_id: { championship, hub, tournament }[type],
            game,
            status,
            scheduled_at: finishedAt - index * 60,
            platform_url: 'https://podium.example/{lang}/match',
          },
        }),
      ),
    ),
    sampleChange('match-stats', {
      document: {
        rounds: [
          {
            best_of: '1',
            competition_id: championship,
            game_id: game,
            game_mode: '5v5',
            match_id: match,
            match_round: '1',
            played: '1',
            round_stats: { Map: 'Mirage' },
            teams: [
              {
                premade: false,
                team_id: team,
                team_stats: { 'Final Score': '13' },
                players: [{ player_id: player, nickname: 'night-owl', player_stats: { Kills: '21' } }],
              },
            ],
          },
        ],
      },
      beside: { finished_at: finishedAt },
    }),
    ...[0, 1, 2, 3, 4].map((index) =>
      sampleChange('match-history', {
        document: {
          match_id: match.replace(/1$/, String(index + 1)),
          game_id: game,
          finished_at: finishedAt - index * 3600,
          playing_players: players.slice(0, 2),
          platform_url: 'https://podium.example/{lang}/match',
        },
      }),
    ),
    sampleChange('hub', {
      document: { hub_id: hub, name: 'Night Hub', game_id: game, organizer_id: organizer, region: 'EU' },
    }),
    ...players.map((user_id, index) =>
      sampleChange('hub-member', {
        document: { user_id, nickname: `member-${index}` },
        beside: { hub_id: hub, joined_at: finishedAt + (index % 2) },
      }),
    ),
    sampleChange('hub-role', { document: { role_id: 'captain', name: 'Captain' }, beside: { hub_id: hub } }),
    sampleChange('hub-rules', {
      id: hub,
      document: { rule_id: 'rules-1', game, organizer, name: 'Rules', body: 'Fair' },
    }),
    ...players
      .slice(0, 2)
      .map((player_id) => sampleChange('hub-player-stats', { document: { player_id }, beside: { hub_id: hub } })),
    sampleChange('leaderboard', {
      document: {
        leaderboard_id: leaderboards.group,
        competition_id: championship,
        competition_type: 'championship',
        leaderboard_type: 'championship',
        group: 1,
      },
    }),
    sampleChange('leaderboard', {
      document: {
        leaderboard_id: leaderboards.general,
        competition_id: hub,
        competition_type: 'hub',
        leaderboard_type: 'hub_general',
      },
    }),
    sampleChange('leaderboard', {
      document: {
        leaderboard_id: leaderboards.season,
        competition_id: hub,
        competition_type: 'hub',
        leaderboard_type: 'hub_season',
        season: 3,
      },
    }),
    ...Object.values(leaderboards).flatMap((leaderboard_id) =>
      players.map((user_id, index) =>
        sampleChange('leaderboard-entry', {
          document: {
            points: 1000 - index,
            win_rate: 0.625,
            player: { ...member, user_id, membership_type: 'free', memberships: ['free'], skill_level: 8 },
          },
          beside: { leaderboard_id },
        }),
      ),
    ),
    sampleChange('league', { document: { id: league, game } }),
    sampleChange('league-season', {
      document: {
        season: {
          number: 2,
          start_date: '2026-01-01T00:00:00Z',
          end_date: '2026-02-01T00:00:00Z',
          placement_match_count: 10,
        },
      },
      beside: { league_id: league },
    }),
    ...players.map((player_id, index) =>
      sampleChange('league-player', {
        document: { points: 500 - index },
        beside: { league_id: league, season_id: 2, player_id },
      }),
    ),
    sampleChange('matchmaking', { document: { id: world.matchmaking, game, region: 'EU', league_id: league } }),
    ...world.queues.map((id, index) =>
      sampleChange('queue', {
        document: {
          id,
          game,
          region: 'EU',
          entityType: 'hub',
          entityId: hub,
          organizerId: index === 0 ? organizer : 'rival',
          queueName: `Queue ${index}`,
        },
      }),
    ),
    sampleChange('queue-ban', { document: { banId: 'ban-1', queueId: world.queues[0], userId: player } }),
    ...['finished', 'join'].map((status, index) =>
      sampleChange('tournament', {
        document: {
          tournament_id: tournament.replace(/1$/, String(index + 1)),
          name: `Spring Open ${index + 1}`,
          game_id: game,
          organizer_id: organizer,
          region: 'EU',
          status,
          started_at: finishedAt + index,
          platform_url: 'https://podium.example/{lang}/tournament',
        },
      }),
    ),
    sampleChange('tournament-brackets', { id: tournament, document: { game, name: 'Spring Open 1' } }),
    ...[0, 1, 2].map((index) =>
      sampleChange('tournament-team', {
        document: { team_id: index === 0 ? team : `${team.slice(0, -1)}${index + 1}`, nickname: `team-${index}` },
        beside: {
          tournament_id: tournament,
          lists: index === 2 ? ['joined'] : ['joined', 'checked_in'],
          player_ids: index === 0 ? [player] : [],
          joined_at: finishedAt + index,
        },
      }),
    ),
    sampleChange('team', {
      document: {
        team_id: team,
        name: 'Owls',
        nickname: 'OWL',
        game,
        members: [{ ...member, membership_type: 'free', memberships: [], skill_level: 8 }],
      },
      beside: { verified: true },
    }),
    sampleChange('team-stats', { document: { team_id: team, game_id: game, lifetime: { Matches: '12' } } }),
    ...players.map((player_id, index) =>
      sampleChange('player', {
        document: {
          player_id,
          nickname: index === 0 ? 'night-owl' : `night-owl-${index}`,
          country: index < 3 ? 'de' : 'FR',
          platform_url: 'https://podium.example/{lang}/player',
          games: {
            [game]: {
              platform_elo: 2000 - index,
              game_player_id: `steam-${index}`,
              game_player_name: '',
              game_profile_id: '',
              region: 'EU',
              regions: {},
              skill_level: 8,
              skill_level_label: '8',
            },
          },
        },
        beside: { status: 'AVAILABLE' },
      }),
    ),
    sampleChange('player-stats', {
      document: { player_id: player, game_id: game, lifetime: { 'Recent Results': ['0', '1'], Matches: '120' } },
    }),
    sampleChange('player-ban', { id: 'player-ban-1', document: { user_id: player, game } }),
    sampleChange('clan', {
      document: { id: 'clan-1', name: 'Night Clan', game, region: 'EU', organizer_id: organizer },
    }),
  ];
}

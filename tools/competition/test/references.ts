import { CompetitionKind } from '@podium/messages';
import { WorldDocument } from '../world/documents/document';

/** A reference to another document. */
export type Reference = readonly [kind: CompetitionKind, ...idParts: string[]];

/** The documents that a document of the world refers to. */
export function referencesOf(content: WorldDocument): Reference[] {
  switch (content.kind) {
    case 'game':
      return some('game', content.document.parent_game_id);
    case 'organizer':
      return all('game', content.beside.games);
    case 'championship':
      return [
        ['game', content.document.game_id],
        ['organizer', content.document.organizer_id],
      ];
    case 'hub':
      return [
        ['game', content.document.game_id],
        ['organizer', content.document.organizer_id],
        ['hub-rules', content.id],
      ];
    case 'tournament':
      return [
        ['game', content.document.game_id],
        ['organizer', content.document.organizer_id],
        ['tournament', content.document.competition_id],
        ['tournament-brackets', content.id],
      ];
    case 'championship-result':
      return [
        ['championship', content.beside.championship_id],
        ...content.document.placements.map(({ id }) => ['team', id] as const),
      ];
    case 'championship-subscription': {
      const { roster, substitutes, leader, coleader, coach, team } = content.document;
      return [
        ['championship', content.beside.championship_id],
        ['team', team.team_id],
        ...all('player', [...roster, ...substitutes, leader, coleader]),
        ...some('player', coach),
      ];
    }
    case 'match': {
      const { game, competition_type, competition_id, organizer_id, teams } = content.document;
      return [
        ['game', game],
        [competition_type as CompetitionKind, competition_id],
        ['organizer', organizer_id],
        ...Object.values(teams).flatMap(({ faction_id, leader, roster, substitutes, type }) => [
          [type === '' ? 'player' : 'team', faction_id] as const,
          ...all('player', [leader, ...[...roster, ...substitutes].map(({ player_id }) => player_id)]),
        ]),
      ];
    }
    case 'match-history': {
      const { game_id, match_id, competition_type, competition_id, organizer_id, teams } = content.document;
      return [
        ['game', game_id],
        ['match', match_id],
        [competition_type as CompetitionKind, competition_id],
        ['organizer', organizer_id],
        ...all('player', content.document.playing_players),
        ...Object.values(teams).flatMap(({ players, team_id, type }) => [
          [type === '' ? 'player' : 'team', team_id] as const,
          ...all(
            'player',
            players.map(({ player_id }) => player_id),
          ),
        ]),
      ];
    }
    case 'match-stats':
      return content.document.rounds.flatMap(({ game_id, match_id, teams }) => [
        ['game', game_id] as const,
        ['match', match_id] as const,
        ['match-history', match_id] as const,
        ...teams.flatMap(({ players, premade, team_id }) => [
          [premade ? 'team' : 'player', team_id] as const,
          ...all(
            'player',
            players.map(({ player_id }) => player_id),
          ),
        ]),
      ]);
    case 'hub-member':
      return [
        ['hub', content.beside.hub_id],
        ['player', content.document.user_id],
        ['hub-player-stats', content.beside.hub_id, content.document.user_id],
        ...content.document.roles.map((role) => ['hub-role', content.beside.hub_id, role] as const),
      ];
    case 'hub-role':
      return [['hub', content.beside.hub_id]];
    case 'hub-rules':
      return [
        ['hub', content.id],
        ['game', content.document.game],
        ['organizer', content.document.organizer],
      ];
    case 'hub-player-stats':
      return [
        ['hub', content.beside.hub_id],
        ['hub-member', content.beside.hub_id, content.document.player_id],
      ];
    case 'leaderboard':
      return [
        ['game', content.document.game_id],
        [content.document.competition_type as CompetitionKind, content.document.competition_id],
      ];
    case 'leaderboard-entry':
      return [
        ['leaderboard', content.beside.leaderboard_id],
        ['player', content.document.player.user_id],
      ];
    case 'league':
      return [
        ['game', content.document.game],
        ['league-season', content.id, String(content.document.season.number)],
        ...content.document.divisions.flatMap(({ leaderboards }) => all('leaderboard', leaderboards)),
      ];
    case 'league-season':
      return [
        ['league', content.beside.league_id],
        ...content.document.divisions.flatMap(({ leaderboards }) => all('leaderboard', leaderboards)),
      ];
    case 'league-player': {
      const { league_id, season_id, player_id } = content.beside;
      return [
        ['league-season', league_id, String(season_id)],
        ['player', player_id],
        ['leaderboard-entry', content.document.leaderboard_id, player_id],
      ];
    }
    case 'matchmaking':
      return [
        ['game', content.document.game],
        ...some('league', content.document.league_id),
        ...content.document.queues.flatMap(({ id, organizer_id }) => [
          ['queue', id] as const,
          ['organizer', organizer_id] as const,
        ]),
      ];
    case 'queue':
      return [
        ['game', content.document.game],
        ['organizer', content.document.organizerId],
        [content.document.entityType as CompetitionKind, content.document.entityId],
      ];
    case 'queue-ban':
      return [
        ['queue', content.document.queueId],
        ['organizer', content.document.organizerId],
        [content.document.entityType as CompetitionKind, content.document.entityId],
        ['player', content.document.userId],
      ];
    case 'tournament-brackets':
      return [
        ['tournament', content.id],
        ['game', content.document.game],
        ...content.document.matches.flatMap(({ match_id, teams }) => [
          ['match', match_id] as const,
          ...Object.values(teams).map(({ team_id }) => ['team', team_id] as const),
          ...Object.values(teams).map(({ team_id }) => ['tournament-team', content.id, team_id] as const),
        ]),
      ];
    case 'tournament-team':
      return [
        ['tournament', content.beside.tournament_id],
        ['team', content.document.team_id],
        ...all('player', [content.document.team_leader, ...content.beside.player_ids]),
      ];
    case 'team':
      return [
        ['game', content.document.game],
        ...all('player', [content.document.leader, ...content.document.members.map(({ user_id }) => user_id)]),
      ];
    case 'team-stats':
      return [
        ['team', content.document.team_id],
        ['game', content.document.game_id],
      ];
    case 'player':
      return [...all('player', content.document.friends_ids), ...all('game', Object.keys(content.document.games))];
    case 'player-stats':
      return [
        ['player', content.document.player_id],
        ['game', content.document.game_id],
      ];
    case 'player-ban':
      return [
        ['player', content.document.user_id],
        ['game', content.document.game],
      ];
    case 'clan':
      return [
        ['game', content.document.game],
        ['organizer', content.document.organizer_id],
      ];
  }
}

function all(kind: CompetitionKind, ids: readonly string[]): Reference[] {
  return ids.map((id) => [kind, id]);
}

function some(kind: CompetitionKind, id: string): Reference[] {
  return id === '' ? [] : [[kind, id]];
}

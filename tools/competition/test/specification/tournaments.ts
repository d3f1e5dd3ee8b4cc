import { Game, Organizer } from './competitions';
import { results } from './matches';
import { list, map, notPlayed, object, resource, sometimes, strings, whereAsked } from './shape';

/* Tournaments, field by field, from the text of the specification and not from our schemas. */

const tournament = {
  anticheat_required: 'boolean',
  custom: 'boolean',
  platform_url: 'url',
  featured_image: 'url',
  game_id: 'string',
  invite_type: 'string',
  match_type: 'string',
  membership_type: 'string',
  name: 'string',
  organizer_id: 'string',
  prize_type: 'string',
  region: 'string',
  status: 'string',
  tournament_id: 'uuid',
  max_skill: 'integer',
  min_skill: 'integer',
  number_of_players: 'integer',
  number_of_players_checkedin: 'integer',
  number_of_players_joined: 'integer',
  number_of_players_participants: 'integer',
  started_at: 'seconds',
  subscriptions_count: 'integer',
  team_size: 'integer',
  // Null in the shape; the design makes it a text.
  total_prize: 'string',
  whitelist_countries: strings,
} as const;

export const TournamentSummary = resource('TournamentSummary', tournament);

const Round = resource('Round', {
  best_of: 'integer',
  label: 'string',
  matches: 'integer',
  round: 'integer',
  start_time: 'seconds',
  starts_asap: 'boolean',
  substitution_time: 'integer',
  substitutions_allowed: 'boolean',
});

export const TournamentDetails = resource('TournamentDetails', {
  ...tournament,
  // Null in the shape; the design omits it where it is not set.
  best_of: 'integer',
  calculate_elo: 'boolean',
  competition_id: 'uuid',
  cover_image: 'url',
  description: 'string',
  rule: 'string',
  game_data: sometimes(Game, whereAsked),
  organizer_data: sometimes(Organizer, whereAsked),
  rounds: list(Round),
  substitutes_allowed: 'integer',
  substitutions_allowed: 'integer',
  // Null in the shape; the design makes it an object or omits it.
  voting: sometimes(object({}), 'omitted before the first vote'),
});

export const TournamentBrackets = resource('TournamentBrackets', {
  game: 'string',
  name: 'string',
  status: 'string',
  matches: list(
    object({
      platform_url: 'url',
      match_id: 'match id',
      state: 'string',
      position: 'integer',
      round: 'integer',
      results: sometimes(results, notPlayed),
      teams: map(object({ avatar: 'url', nickname: 'string', team_id: 'uuid' })),
    }),
  ),
  rounds: list(Round),
});

const TournamentTeam = resource('TournamentTeam', {
  nickname: 'string',
  team_id: 'uuid',
  team_leader: 'uuid',
  team_type: 'string',
  skill_level: 'integer',
  subs_done: 'integer',
});

export const TournamentTeams = resource('TournamentTeams', {
  checked_in: list(TournamentTeam),
  finished: list(TournamentTeam),
  joined: list(TournamentTeam),
  started: list(TournamentTeam),
});

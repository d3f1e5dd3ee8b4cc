import { Static, Type } from '@sinclair/typebox';
import { expandedFields } from './added-fields';
import { epochSeconds, id, image, int32, integer, mapOf, name, opaque, pageUrl, text, word, words } from './fields';
import { Game } from './game';
import { MatchResults } from './match';
import { Organizer } from './organizer';

const summary = {
  anticheat_required: Type.Boolean(),
  custom: Type.Boolean(),
  platform_url: pageUrl(),
  featured_image: image('Featured picture'),
  game_id: id('Game that is played'),
  invite_type: word('Who may join'),
  match_type: word('Kind of matches'),
  max_skill: integer('Highest level that may join'),
  membership_type: word('Membership that is needed'),
  min_skill: integer('Lowest level that may join'),
  name: name('Name'),
  number_of_players: integer('Places for players'),
  number_of_players_checkedin: integer('Players checked in'),
  number_of_players_joined: integer('Players joined'),
  number_of_players_participants: integer('Players who take part'),
  organizer_id: id('Who runs it'),
  prize_type: word('Kind of prizes'),
  region: word('Region'),
  started_at: epochSeconds('Start'),
  status: word('Known: created, join, started, finished, cancelled'),
  subscriptions_count: integer('Teams subscribed'),
  team_size: integer('Players of a team'),
  total_prize: text('Sum of the prizes'),
  tournament_id: id('UUID'),
  whitelist_countries: words('Empty: any'),
};

/** A tournament in a list. */
export const TournamentSummary = Type.Object(summary, { description: 'A tournament in a list' });
export type TournamentSummary = Static<typeof TournamentSummary>;

/** A tournament. */
export const TournamentDetails = Type.Object(
  {
    ...summary,
    best_of: Type.Optional(integer('Games of a match at most; omitted when not set')),
    calculate_elo: Type.Boolean(),
    competition_id: text('The competition that it is part of'),
    cover_image: image('Cover'),
    description: text('What it is about'),
    game_data: Type.Optional(Game),
    organizer_data: Type.Optional(Organizer),
    rounds: Type.Array(Type.Unknown(), { description: 'Rounds, as the brackets give them' }),
    rule: text('Its rules'),
    substitutes_allowed: integer('Substitutes of a team'),
    substitutions_allowed: integer('Substitutions of a team'),
    voting: Type.Optional(opaque('What is voted on')),
  },
  { description: 'A tournament; game_data and organizer_data only where they are asked for' },
);
export type TournamentDetails = Static<typeof TournamentDetails>;

/** A tournament as stored: the game and the organizer are separate documents. */
export const StoredTournamentDetails = Type.Omit(TournamentDetails, expandedFields, {
  description: 'A tournament without its game and organizer',
});
export type StoredTournamentDetails = Static<typeof StoredTournamentDetails>;

/** The brackets of a tournament. */
export const TournamentBrackets = Type.Object(
  {
    game: text('Game id'),
    matches: Type.Array(
      Type.Object({
        platform_url: pageUrl(),
        match_id: id('1- and a UUID'),
        position: integer('Place in the round'),
        results: Type.Optional(MatchResults),
        round: integer('Round, 1-based'),
        state: word('State of the match'),
        teams: mapOf(Type.Object({ avatar: image('Avatar'), nickname: text('Name'), team_id: text('The team') }), {
          description: 'By faction key',
        }),
      }),
    ),
    name: text('Name of the tournament'),
    rounds: Type.Array(
      Type.Object({
        best_of: integer('Games of a match at most'),
        label: text('Such as Final'),
        matches: integer('Matches of the round'),
        round: integer('Round, 1-based'),
        start_time: epochSeconds('Start'),
        starts_asap: Type.Boolean(),
        substitution_time: integer('Time for substitutions, seconds'),
        substitutions_allowed: Type.Boolean(),
      }),
    ),
    status: word('State of the tournament'),
  },
  { description: 'The brackets of a tournament' },
);
export type TournamentBrackets = Static<typeof TournamentBrackets>;

/** A team in a tournament. */
export const TournamentTeam = Type.Object(
  {
    nickname: name('Name'),
    skill_level: integer('Level of the team'),
    subs_done: int32('Substitutions done'),
    team_id: id('UUID'),
    team_leader: text('Player id'),
    team_type: word('Kind of team'),
  },
  { description: 'A team in a tournament' },
);
export type TournamentTeam = Static<typeof TournamentTeam>;

/** The response of "Teams of a tournament": no envelope, offset and limit apply to each list. */
export const TournamentTeams = Type.Object(
  {
    checked_in: Type.Array(TournamentTeam),
    finished: Type.Array(TournamentTeam),
    joined: Type.Array(TournamentTeam),
    started: Type.Array(TournamentTeam),
  },
  { description: 'Teams of a tournament by how far they are' },
);
export type TournamentTeams = Static<typeof TournamentTeams>;

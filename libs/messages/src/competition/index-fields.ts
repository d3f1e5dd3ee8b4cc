import { Type } from '@sinclair/typebox';
import { dateTime, epochSeconds, id, int32, word, words } from './shapes/fields';

/**
 * Fields that a record carries in addition to the document, because lists, rankings or searches need them and the
 * document's specified shape does not have them. They are never served as they are.
 */
export const indexFields = {
  none: Type.Object({}, { description: 'Nothing' }),
  organizer: Type.Object({
    active: Type.Boolean(),
    partner: Type.Boolean(),
    countries: words('Countries that it is active in'),
    games: words('Game ids, in the order of its list of games'),
    regions: words('Regions that it is active in'),
  }),
  championship: Type.Object({
    published: Type.Boolean({ description: 'Shown where only published championships are asked for' }),
    created_at: dateTime('Creation'),
  }),
  ofChampionship: Type.Object({ championship_id: id('The championship') }),
  matchStats: Type.Object({ finished_at: epochSeconds('End of the match') }),
  hubMember: Type.Object({ hub_id: id('The hub'), joined_at: epochSeconds('When the user joined it') }),
  ofHub: Type.Object({ hub_id: id('The hub') }),
  ofLeaderboard: Type.Object({ leaderboard_id: id('The leaderboard') }),
  ofLeague: Type.Object({ league_id: id('The league') }),
  leaguePlayer: Type.Object({
    league_id: id('The league'),
    season_id: int32('Number of the season'),
    player_id: id('The player'),
  }),
  tournamentTeam: Type.Object({
    tournament_id: id('The tournament'),
    lists: Type.Array(
      Type.Union([
        Type.Literal('checked_in'),
        Type.Literal('finished'),
        Type.Literal('joined'),
        Type.Literal('started'),
      ]),
      { description: 'Lists of the tournament that have the team' },
    ),
    player_ids: Type.Array(id('Player id'), { description: 'Players of the team in this tournament' }),
    joined_at: epochSeconds('When the team joined'),
  }),
  team: Type.Object({ verified: Type.Boolean() }),
  player: Type.Object({ status: word('State of the account') }),
};

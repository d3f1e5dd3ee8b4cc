import {
  StoredChampionship,
  StoredCompetitionSearchItem,
  StoredHub,
  StoredTournamentDetails,
  storedText,
} from '@podium/messages';

/** The search item of a championship: subscribers are teams or players, and all who joined are members. */
export function championshipSearchItem(championship: StoredChampionship): string {
  return storedText(StoredCompetitionSearchItem, {
    competition_id: championship.championship_id,
    competition_type: 'championship',
    game: championship.game_id,
    name: championship.name,
    number_of_members: championship.current_subscriptions,
    organizer_id: championship.organizer_id,
    players_checkedin: 0,
    players_joined: championship.current_subscriptions,
    prize_type: championship.total_prizes > 0 ? 'points' : '',
    region: championship.region,
    slots: championship.slots,
    // The document has the start in milliseconds, search items have it in seconds.
    started_at: Math.floor(championship.championship_start / 1000),
    status: championship.status,
    total_prize: String(championship.total_prizes),
  });
}

/** The search item of a hub: it has members, but no start, places, prizes or status. */
export function hubSearchItem(hub: StoredHub): string {
  return storedText(StoredCompetitionSearchItem, {
    competition_id: hub.hub_id,
    competition_type: 'hub',
    game: hub.game_id,
    name: hub.name,
    number_of_members: hub.players_joined,
    organizer_id: hub.organizer_id,
    players_checkedin: 0,
    players_joined: hub.players_joined,
    prize_type: '',
    region: hub.region,
    slots: 0,
    started_at: 0,
    status: '',
    total_prize: '0',
  });
}

/** The search item of a tournament: members are the participants, places are places for players. */
export function tournamentSearchItem(tournament: StoredTournamentDetails): string {
  return storedText(StoredCompetitionSearchItem, {
    competition_id: tournament.tournament_id,
    competition_type: 'tournament',
    game: tournament.game_id,
    name: tournament.name,
    number_of_members: tournament.number_of_players_participants,
    organizer_id: tournament.organizer_id,
    players_checkedin: tournament.number_of_players_checkedin,
    players_joined: tournament.number_of_players_joined,
    prize_type: tournament.prize_type,
    region: tournament.region,
    slots: tournament.number_of_players,
    started_at: tournament.started_at,
    status: tournament.status,
    total_prize: tournament.total_prize,
  });
}

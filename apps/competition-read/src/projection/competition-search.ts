import {
  StoredChampionship,
  StoredCompetitionSearchItem,
  StoredHub,
  StoredTournamentDetails,
  storedText,
} from '@podium/messages';

/** A championship as a search shows it: who subscribed are teams or players, and all who joined are its members. */
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
    // The start is in milliseconds there and in seconds in searches.
    started_at: Math.floor(championship.championship_start / 1000),
    status: championship.status,
    total_prize: String(championship.total_prizes),
  });
}

/** A hub as a search shows it: it has members, and neither a start nor places nor prizes nor a state. */
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

/** A tournament as a search shows it: members are those who take part, places are places for players. */
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

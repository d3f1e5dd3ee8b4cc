import {
  StoredTournamentDetails,
  TournamentBrackets,
  TournamentSummary,
  TournamentTeam,
  identityDigest,
  storedText,
  expandedFields,
} from '@podium/messages';
import { tournamentSearchItem } from './competition-search-items';
import type { ContentOf } from './document-content';
import { ListingRows } from './listing-rows';
import { Projection, projectionOf } from './projection';
import { searchName, tag } from '../search/search-name';
import { typeClass } from './type-class';
import { withoutAdded } from './without-added';

/** A tournament is in the list of all, by game and region, and in that of its organizer, by past or upcoming. */
export function projectTournament({ id, document }: ContentOf<'tournament'>): Projection {
  const { game_id, region, organizer_id, started_at, name } = document;
  const type = typeClass('tournament', document.status);
  const listings = new ListingRows().add('tournamentsOfOrganizer', {
    owner: organizer_id,
    filters: [type === 'past' ? 'past' : 'upcoming'],
    whole: false,
    sort: started_at,
    id,
  });
  for (const owner of new Set(['', game_id]))
    listings.add('tournaments', { owner, filters: [region], sort: started_at, id });
  const tags = [tag.game(game_id), tag.region(region), tag.type(type)];
  return projectionOf(storedText(StoredTournamentDetails, withoutAdded(document, expandedFields)), {
    summary: storedText(TournamentSummary, tournamentSummary(document)),
    listings: listings.rows,
    names: searchName('tournament', { id, name, tags, body: tournamentSearchItem(document) }),
  });
}

/** Brackets are read by the id of their tournament and are in no list. */
export function projectTournamentBrackets({ document }: ContentOf<'tournament-brackets'>): Projection {
  return projectionOf(storedText(TournamentBrackets, document));
}

/** A team is in the matching lists of the tournament; the tournament is in the lists of the team and its players. */
export function projectTournamentTeam({ id, document, beside }: ContentOf<'tournament-team'>): Projection {
  const { tournament_id, lists, player_ids, joined_at } = beside;
  const listings = new ListingRows()
    .add('teamsOfTournament', { owner: tournament_id, filters: lists, whole: false, sort: joined_at, id })
    .add('tournamentsOfTeam', { owner: document.team_id, sort: joined_at, id: tournament_id });
  const sort = playersSort(joined_at, document.team_id);
  for (const owner of player_ids) listings.add('tournamentsOfPlayer', { owner, sort, id: tournament_id });
  return projectionOf(storedText(TournamentTeam, document), { listings: listings.rows });
}

const teamBits = 20;

/**
 * The time of joining, with low bits derived from the team. A player named by two teams of a tournament has one row per
 * team, and each row is removed with its own team; pages show the latest. In every other list, an item belongs to one document.
 */
function playersSort(joinedAtS: number, teamId: string): number {
  const latest = 2 ** (53 - teamBits) - 1;
  const trace = identityDigest(teamId).readUInt32BE(0) >>> (32 - teamBits);
  return Math.min(joinedAtS, latest) * 2 ** teamBits + trace;
}

function tournamentSummary(tournament: StoredTournamentDetails): TournamentSummary {
  return {
    anticheat_required: tournament.anticheat_required,
    custom: tournament.custom,
    platform_url: tournament.platform_url,
    featured_image: tournament.featured_image,
    game_id: tournament.game_id,
    invite_type: tournament.invite_type,
    match_type: tournament.match_type,
    max_skill: tournament.max_skill,
    membership_type: tournament.membership_type,
    min_skill: tournament.min_skill,
    name: tournament.name,
    number_of_players: tournament.number_of_players,
    number_of_players_checkedin: tournament.number_of_players_checkedin,
    number_of_players_joined: tournament.number_of_players_joined,
    number_of_players_participants: tournament.number_of_players_participants,
    organizer_id: tournament.organizer_id,
    prize_type: tournament.prize_type,
    region: tournament.region,
    started_at: tournament.started_at,
    status: tournament.status,
    subscriptions_count: tournament.subscriptions_count,
    team_size: tournament.team_size,
    total_prize: tournament.total_prize,
    tournament_id: tournament.tournament_id,
    whitelist_countries: tournament.whitelist_countries,
  };
}

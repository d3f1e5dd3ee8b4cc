import type { CompetitionKind } from '@podium/messages';

/** A text of the document with the id of a list row. */
export interface DocumentItem {
  readonly kind: CompetitionKind;
  readonly text: 'body' | 'summary';
}

/** The item of a list row: a text of a document, or the row's own body. */
export type ListItem = DocumentItem | 'own body';

/** A paged list; its rows are in `listings` by (owner, filter, sort, id). */
export interface ListRow {
  /** The order in which pages are read; (sort, id) in that direction. */
  readonly order: 'asc' | 'desc';
  readonly item: ListItem;
  /**
   * Whether several documents may each have a row for one item. A page shows such an item once, at the first of its rows; each row
   * is also under the item's id as filter, which finds the others.
   */
  readonly mayRepeat?: true;
}

const body = (kind: CompetitionKind): DocumentItem => ({ kind, text: 'body' });
const summary = (kind: CompetitionKind): DocumentItem => ({ kind, text: 'summary' });

/** The table of all lists. The projection of a document sets owner, filter and sort of its rows. */
export const lists = {
  championshipsOfGame: { order: 'desc', item: body('championship') },
  matchesOfCompetition: { order: 'desc', item: body('match') },
  resultsOfChampionship: { order: 'asc', item: body('championship-result') },
  subscriptionsOfChampionship: { order: 'asc', item: body('championship-subscription') },
  games: { order: 'asc', item: body('game') },
  matchmakingsOfGame: { order: 'asc', item: summary('matchmaking') },
  queuesOfEntity: { order: 'asc', item: summary('queue') },
  queuesOfRegion: { order: 'asc', item: summary('queue') },
  bansOfQueue: { order: 'desc', item: body('queue-ban') },
  membersOfHub: { order: 'asc', item: body('hub-member') },
  hubsOfPlayer: { order: 'desc', item: body('hub') },
  rolesOfHub: { order: 'asc', item: body('hub-role') },
  statsOfHub: { order: 'asc', item: body('hub-player-stats') },
  leaderboards: { order: 'desc', item: body('leaderboard') },
  championshipsOfOrganizer: { order: 'desc', item: body('championship') },
  organizersByName: { order: 'asc', item: body('organizer') },
  gamesOfOrganizer: { order: 'asc', item: body('game') },
  hubsOfOrganizer: { order: 'asc', item: body('hub') },
  tournamentsOfOrganizer: { order: 'desc', item: summary('tournament') },
  tournaments: { order: 'desc', item: summary('tournament') },
  playersByNickname: { order: 'asc', item: body('player') },
  playersByGameId: { order: 'asc', item: body('player') },
  bansOfPlayer: { order: 'desc', item: body('player-ban') },
  historyOfPlayer: { order: 'desc', item: body('match-history') },
  matchStatsOfPlayer: { order: 'desc', item: 'own body' },
  teamsOfPlayer: { order: 'asc', item: body('team') },
  tournamentsOfPlayer: { order: 'desc', item: summary('tournament'), mayRepeat: true },
  tournamentsOfTeam: { order: 'desc', item: summary('tournament') },
  teamsOfTournament: { order: 'asc', item: body('tournament-team') },
} as const satisfies Record<string, ListRow>;

/** The name of a list, as stored in `listings`. */
export type ListName = keyof typeof lists;

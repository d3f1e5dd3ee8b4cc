import { championshipRows } from './championships.rows';
import { gameRows } from './games.rows';
import { hubRows } from './hubs.rows';
import { leaderboardRows } from './leaderboards.rows';
import { leagueRows } from './leagues.rows';
import { matchRows } from './matches.rows';
import { organizerRows } from './organizers.rows';
import { playerRows } from './players.rows';
import { queueRows } from './queues.rows';
import { rankingRows } from './rankings.rows';
import type { ReadRow } from './read-row';
import { searchRows } from './search.rows';
import { teamRows } from './teams.rows';
import { tournamentRows } from './tournaments.rows';

/** The table of all read operations. */
export const readRows: readonly ReadRow[] = [
  ...championshipRows,
  ...gameRows,
  ...queueRows,
  ...hubRows,
  ...leaderboardRows,
  ...leagueRows,
  ...matchRows,
  ...organizerRows,
  ...playerRows,
  ...rankingRows,
  ...searchRows,
  ...teamRows,
  ...tournamentRows,
];

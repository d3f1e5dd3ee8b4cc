import { type MatchStatsRound, jsonText } from '@podium/messages';

/** A player's statistics in a round: the stored text of a `PlayerMatchStats`. */
export interface PlayerRound {
  readonly playerId: string;
  readonly body: string;
}

/**
 * The rounds of a match as each player's statistics show them. A figure comes from the player, else from the team, else
 * from the round; identifiers of the round override all of them. The texts are assembled from parts, because the ten
 * players of a match share most of them and there are millions.
 */
export function playerRounds(round: MatchStatsRound, finishedAtMs: number): PlayerRound[] {
  const identity = identityOf(round, finishedAtMs);
  const taken = new Set([...Object.keys(identity), 'Nickname', 'Player Id']);
  const identityText = membersText(identity);
  return round.teams.flatMap(({ team_stats, players }) => {
    const shared = new Map([...Object.entries(round.round_stats), ...Object.entries(team_stats)]);
    for (const name of taken) shared.delete(name);
    const sharedNames = [...shared.keys()];
    const sharedText = membersText(Object.fromEntries(shared));
    return players.map(({ player_id, nickname, player_stats }): PlayerRound => {
      const own = sharesNone(player_stats, taken) ? player_stats : without(player_stats, taken);
      const rest = sharesNone(own, sharedNames) ? sharedText : membersText(without(Object.fromEntries(shared), own));
      const who = membersText({ Nickname: nickname, 'Player Id': player_id });
      const members = [identityText, who, membersText(own), rest].filter((text) => text !== '').join(',');
      return { playerId: player_id, body: `{"stats":{${members}}}` };
    });
  });
}

/**
 * Length of what the texts of `playerRounds` repeat for each player, at most, in all rounds of a match. It can be the square of the
 * length of the document.
 */
export function repeatedLength(rounds: readonly MatchStatsRound[]): number {
  let length = 0;
  for (const round of rounds) {
    const ofRound = JSON.stringify([identityOf(round, 0), round.round_stats]).length;
    for (const { team_stats, players } of round.teams)
      length += players.length * (ofRound + JSON.stringify(team_stats).length);
  }
  return length;
}

/** What identifies a round in the statistics of its players. */
function identityOf(round: MatchStatsRound, finishedAtMs: number): Stats {
  return {
    'Best Of': round.best_of,
    'Competition Id': round.competition_id,
    Game: round.game_id,
    'Game Mode': round.game_mode,
    'Match Finished At': finishedAtMs,
    'Match Id': round.match_id,
    'Match Round': round.match_round,
  };
}

type Stats = Readonly<Record<string, unknown>>;

/** The text between the braces of an object. */
function membersText(stats: Stats): string {
  return jsonText(stats).slice(1, -1);
}

function sharesNone(stats: Stats, names: Iterable<string>): boolean {
  for (const name of names) if (Object.hasOwn(stats, name)) return false;
  return true;
}

function without(stats: Stats, names: ReadonlySet<string> | Stats): Stats {
  const isNamed = (name: string): boolean => (names instanceof Set ? names.has(name) : Object.hasOwn(names, name));
  return Object.fromEntries(Object.entries(stats).filter(([name]) => !isNamed(name)));
}

/** A game, and the accounts of its players at other services. */
export interface GameRow {
  readonly id: string;
  /** The game that this one is a regional edition of; empty for none. */
  readonly parent: string;
  readonly longLabel: string;
  readonly shortLabel: string;
  /** Decides which statistics its matches have. */
  readonly family: 'shooter' | 'arena';
  /** The service of its players' accounts. */
  readonly account: 'steam' | 'riot';
  readonly regions: readonly string[];
  readonly maps: readonly string[];
  /** Agents, heroes, champions; empty where players choose none. */
  readonly characters: readonly string[];
}

const counterStrikeMaps = ['de_ancient', 'de_anubis', 'de_dust2', 'de_inferno', 'de_mirage', 'de_nuke', 'de_train'];

/** The games of the world, in the order in which the list of all games shows them. */
export const games = [
  {
    id: 'cs2',
    parent: '',
    longLabel: 'Counter-Strike 2',
    shortLabel: 'CS2',
    family: 'shooter',
    account: 'steam',
    regions: ['EU', 'US', 'SEA', 'SA', 'OCE'],
    maps: counterStrikeMaps,
    characters: [],
  },
  {
    id: 'cs2_sea',
    parent: 'cs2',
    longLabel: 'Counter-Strike 2 South-East Asia',
    shortLabel: 'CS2 SEA',
    family: 'shooter',
    account: 'steam',
    regions: ['SEA'],
    maps: counterStrikeMaps,
    characters: [],
  },
  {
    id: 'dota2',
    parent: '',
    longLabel: 'Dota 2',
    shortLabel: 'Dota 2',
    family: 'arena',
    account: 'steam',
    regions: ['EU', 'US', 'SEA', 'SA', 'OCE'],
    maps: ['Captains Mode', 'All Pick'],
    characters: ['Axe', 'Crystal Maiden', 'Invoker', 'Juggernaut', 'Lion', 'Mirana', 'Pudge', 'Rubick', 'Sven', 'Tiny'],
  },
  {
    id: 'valorant',
    parent: '',
    longLabel: 'VALORANT',
    shortLabel: 'VALORANT',
    family: 'shooter',
    account: 'riot',
    regions: ['EU', 'US'],
    maps: ['Ascent', 'Bind', 'Haven', 'Icebox', 'Lotus', 'Split', 'Sunset'],
    characters: ['Brimstone', 'Cypher', 'Jett', 'Omen', 'Phoenix', 'Raze', 'Reyna', 'Sage', 'Sova', 'Viper'],
  },
  {
    id: 'lol',
    parent: '',
    longLabel: 'League of Legends',
    shortLabel: 'LoL',
    family: 'arena',
    account: 'riot',
    regions: ['EU', 'US', 'SA', 'OCE'],
    maps: ["Summoner's Rift"],
    characters: ['Ahri', 'Ashe', 'Darius', 'Ezreal', 'Garen', 'Jinx', 'Lux', 'Thresh', 'Yasuo', 'Zed'],
  },
] as const satisfies readonly GameRow[];

/** Id of a game of the world. */
export type GameId = (typeof games)[number]['id'];

/** The row of a game. */
export function gameRow(id: GameId): GameRow {
  return rows[id];
}

const rows: Readonly<Record<string, GameRow>> = Object.fromEntries(games.map((game) => [game.id, game]));

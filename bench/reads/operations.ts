import { Client } from 'pg';

/** One operation with requests drawn from the tables. */
export interface SampledOperation {
  readonly name: string;
  readonly kind: 'details' | 'list' | 'ranking' | 'search';
  /** Below `/data/v4`. */
  readonly paths: readonly string[];
  /** Documents that the floor returns: those of the operation for details, matches otherwise. */
  readonly floorPaths: readonly string[];
}

/** One operation with the requests that measure it. */
export interface MeasuredOperation extends SampledOperation {
  /** Stored responses to `paths`, in the same order, which the floor returns. */
  readonly storedPagePaths: readonly string[];
  /** Mean size of a response's body. */
  readonly pageBytes: number;
}

const samples = 200;

/** Requests of the representative operations, drawn from the contents of the live tables. */
export async function operationsOf(databaseUrl: string): Promise<SampledOperation[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await new Sampler(client, await liveSet(client)).operations();
  } finally {
    await client.end();
  }
}

async function liveSet(client: Client): Promise<string> {
  const { rows } = await client.query<{ live: string }>('SELECT live FROM competition_read.live_set');
  return rows[0].live;
}

class Sampler {
  constructor(
    private readonly client: Client,
    private readonly set: string,
  ) {}

  async operations(): Promise<SampledOperation[]> {
    const players = await this.documents('player');
    const matches = await this.documents('match');
    const championships = await this.documents('championship');
    const hub = (await this.biggestOwner('matchesOfCompetition', 'hub')).replace(/^hub:/, '');
    const hubWithMembers = await this.biggestOwner('membersOfHub');
    const history = await this.owners('historyOfPlayer');
    const matchStats = await this.owners('matchStatsOfPlayer');
    const global = await this.biggestBoard('global');
    const [, game, region] = global.board.split(':');
    const leaderboard = await this.biggestBoard('leaderboard');
    const floorPaths = this.floor('match', matches);
    const list = (name: string, paths: string[]): SampledOperation => ({ name, kind: 'list', paths, floorPaths });
    const ranking = (name: string, paths: string[]): SampledOperation => ({
      name,
      kind: 'ranking',
      paths,
      floorPaths,
    });
    const search = (name: string, paths: string[]): SampledOperation => ({ name, kind: 'search', paths, floorPaths });
    const board = `/rankings/games/${game}/regions/${region}`;
    return [
      this.details('getPlayer', 'player', players, (id) => `/players/${id}`),
      this.details('getMatch', 'match', matches, (id) => `/matches/${id}`),
      this.details('getChampionship', 'championship', championships, (id) => `/championships/${id}`),
      list('getHubMatches', [`/hubs/${hub}/matches?limit=20`]),
      list('getHubMembers', [`/hubs/${hubWithMembers}/members?limit=20`]),
      list(
        'getPlayerHistory',
        history.map(({ owner, filter }) => `/players/${owner}/history?game=${filter}&from=0&limit=20`),
      ),
      list(
        'getPlayerMatchesStats',
        matchStats.map(({ owner, filter }) => `/players/${owner}/games/${filter}/stats?limit=20`),
      ),
      ranking('getGlobalRanking, first page', [`${board}?limit=20`]),
      ranking(
        'getGlobalRanking, any page',
        spread(global.size).map((offset) => `${board}?limit=20&offset=${offset}`),
      ),
      ranking(
        'getPlayerRanking',
        (await this.boardPlayers(global.board)).map((player) => `${board}/players/${player}?limit=20`),
      ),
      ranking(
        'getLeaderboard, any page',
        spread(leaderboard.size).map(
          (offset) => `/leaderboards/${leaderboard.board.split(':')[1]}?limit=20&offset=${offset}`,
        ),
      ),
      search('searchPlayers, rare names', await this.rareSearches()),
      search('searchPlayers, common names', await this.commonSearches()),
    ];
  }

  private details(name: string, kind: string, ids: readonly string[], path: (id: string) => string): SampledOperation {
    return { name, kind: 'details', paths: ids.map(path), floorPaths: this.floor(kind, ids) };
  }

  private floor(kind: string, ids: readonly string[]): string[] {
    return ids.map((id) => `/${this.set}/${kind}/${encodeURIComponent(id)}`);
  }

  private async documents(kind: string): Promise<string[]> {
    const { rows } = await this.client.query<{ id: string }>(
      `SELECT id FROM competition_read.documents_${this.set} WHERE kind = $1 AND body IS NOT NULL ORDER BY md5(id) LIMIT ${samples}`,
      [kind],
    );
    return rows.map(({ id }) => id);
  }

  private async owners(list: string): Promise<{ owner: string; filter: string }[]> {
    const { rows } = await this.client.query<{ owner: string; filter: string }>(
      `SELECT DISTINCT owner, filter FROM competition_read.listings_${this.set} TABLESAMPLE SYSTEM (2)
       WHERE list = $1 AND filter <> '' LIMIT ${samples}`,
      [list],
    );
    return rows;
  }

  private async biggestOwner(list: string, prefix = ''): Promise<string> {
    const { rows } = await this.client.query<{ owner: string }>(
      `SELECT owner FROM competition_read.listings_${this.set} WHERE list = $1 AND filter = '' AND owner LIKE $2
       GROUP BY owner ORDER BY count(*) DESC, owner LIMIT 1`,
      [list, `${prefix}%`],
    );
    return rows[0].owner;
  }

  private async biggestBoard(prefix: string): Promise<{ board: string; size: number }> {
    const { rows } = await this.client.query<{ board: string; size: number }>(
      `SELECT board, count(*)::int AS size FROM competition_read.board_entries_${this.set} WHERE board LIKE $1
       GROUP BY board ORDER BY size DESC, board LIMIT 1`,
      [`${prefix}:%`],
    );
    return rows[0];
  }

  private async boardPlayers(board: string): Promise<string[]> {
    const { rows } = await this.client.query<{ player_id: string }>(
      `SELECT player_id FROM competition_read.board_entries_${this.set} WHERE board = $1 ORDER BY md5(player_id) LIMIT ${samples}`,
      [board],
    );
    return rows.map(({ player_id }) => player_id);
  }

  private async rareSearches(): Promise<string[]> {
    const { rows } = await this.client.query<{ folded: string }>(
      `SELECT folded FROM competition_read.names_${this.set} WHERE kind = 'player' ORDER BY md5(id) LIMIT ${samples}`,
    );
    return rows.map(({ folded }) => `/search/players?nickname=${encodeURIComponent(folded)}&limit=20`);
  }

  private async commonSearches(): Promise<string[]> {
    const { rows } = await this.client.query<{ stem: string }>(
      `SELECT left(folded, 4) AS stem FROM competition_read.names_${this.set} WHERE kind = 'player' AND folded ~ '^[a-z]{4}'
       GROUP BY stem ORDER BY count(*) DESC, stem LIMIT 20`,
    );
    return rows.map(({ stem }) => `/search/players?nickname=${encodeURIComponent(stem)}&limit=20`);
  }
}

/** Offsets spread over a board, up to its last page. */
function spread(size: number): number[] {
  return Array.from({ length: samples }, (_, at) => Math.floor((at / samples) * Math.max(0, size - 20)));
}

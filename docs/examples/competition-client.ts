/**
 * A data partner's client in small: typed by the OpenAPI document, it finds a player by name, reads what was found, and pages
 * through a ranking.
 *
 *   DATA_URL=http://127.0.0.1:7400/data/v4 DATA_KEY=… NAME=… node -r @swc-node/register docs/examples/competition-client.ts
 *
 * `competition-data.ts` beside this file is made by `npx openapi-typescript docs/openapi/competition-data.json`.
 */
import createClient from 'openapi-fetch';
import type { paths } from './competition-data';

const { DATA_URL, DATA_KEY, NAME = 'a' } = process.env;

async function main(): Promise<void> {
  const client = createClient<paths>({ baseUrl: DATA_URL, headers: { authorization: `Bearer ${DATA_KEY}` } });

  // 1. Search by name; what is not 200 is an error with a code.
  const found = await client.GET('/search/players', { params: { query: { nickname: NAME, limit: 5 } } });
  if (!found.data) throw new Error(found.error.errors.map(({ code, message }) => `${code}: ${message}`).join('\n'));
  const [first] = found.data.items;
  if (!first) return console.log(`nobody is called ${NAME}`);

  // 2. Read what was found.
  const { data: player } = await client.GET('/players/{player_id}', {
    params: { path: { player_id: first.player_id } },
  });
  if (!player) throw new Error('the player is gone');
  console.log(`${player.nickname} from ${player.country} plays ${Object.keys(player.games).join(', ')}`);

  // 3. The player's place in the world, with the neighbours.
  const [game, profile] = Object.entries(player.games)[0] ?? [];
  if (!game || !profile) return;
  const window = await client.GET('/rankings/games/{game_id}/regions/{region}/players/{player_id}', {
    params: { path: { game_id: game, region: profile.region, player_id: player.player_id }, query: { limit: 5 } },
  });
  for (const entry of window.data?.items ?? [])
    console.log(`${entry.position}. ${entry.nickname} (${entry.platform_elo})`);
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});

import { ComponentSchema, schemaPath } from './component-schemas';

/** An example of a component, with plausible values by field name; optional fields are included, lists have one item. */
export function exampleOf(name: string, components: Readonly<Record<string, ComponentSchema>>): unknown {
  return valueOf(components[name], name, components);
}

function valueOf(
  schema: ComponentSchema,
  field: string,
  components: Readonly<Record<string, ComponentSchema>>,
): unknown {
  if (schema.$ref) return valueOf(components[schema.$ref.slice(schemaPath.length)], field, components);
  if (schema.example !== undefined) return schema.example;
  if (schema.enum) return schema.enum[0];
  switch (schema.type) {
    case 'object':
      return objectOf(schema, field, components);
    case 'array':
      return schema.items === undefined || Object.keys(schema.items).length === 0
        ? []
        : [valueOf(schema.items, field, components)];
    case 'boolean':
      return truths.has(field);
    case 'integer':
    case 'number':
      return numberOf(schema, field);
    case 'string':
      return textOf(schema, field);
    default:
      return nulls.has(field) ? null : textOf(schema, field);
  }
}

function objectOf(
  { properties = {}, additionalProperties }: ComponentSchema,
  field: string,
  components: Readonly<Record<string, ComponentSchema>>,
): object {
  const fields = Object.entries(properties).map(([name, schema]) => [name, valueOf(schema, name, components)] as const);
  if (typeof additionalProperties !== 'object' || Object.keys(additionalProperties).length === 0)
    return Object.fromEntries(fields);
  const values = (mapKeys.get(field) ?? ['Matches']).map(
    (key) => [key, valueOf(additionalProperties, field === 'games' ? 'game' : key, components)] as const,
  );
  return Object.fromEntries([...values, ...fields]);
}

function numberOf({ description = '', minimum = 0 }: ComponentSchema, field: string): number {
  if (description.includes('Unix milliseconds')) return 1_767_225_600_000;
  if (description.includes('Unix seconds')) return 1_767_225_600;
  return Math.max(minimum, numbers.get(field) ?? 1);
}

function textOf({ description = '', format, minLength = 0 }: ComponentSchema, field: string): string {
  if (format === 'date-time') return '2026-01-01T00:00:00Z';
  const [, known] = /^Known: (\w+)/.exec(description) ?? [];
  if (known !== undefined) return known;
  if (description.includes('URL, empty')) return 'https://assets.podium.example/picture.jpg';
  return texts.get(field) ?? (minLength > 0 || isId(field, description) ? someId : '');
}

function isId(field: string, description: string): boolean {
  return /(^i|I|_i)ds?$/.test(field) || description.startsWith('Player id');
}

const someId = '3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77';
const nulls = new Set(['roster_v1']);
const truths = new Set(['verified', 'open', 'solo', 'party', 'active', 'calculate_elo', 'calculateElo', 'published']);

/** Example keys of maps, by the name of the field. */
const mapKeys = new Map<string, readonly string[]>([
  ['score', ['faction1', 'faction2']],
  ['factions', ['faction1', 'faction2']],
  ['teams', ['faction1', 'faction2']],
  ['schedule', ['1']],
  ['games', ['cs2']],
  ['platforms', ['steam']],
  ['geoDescription', ['en']],
  ['geoLabel', ['en']],
  ['lifetime', ['Matches', 'Win Rate %']],
  ['stats', ['Kills', 'Deaths']],
  ['player_stats', ['Kills', 'Deaths']],
  ['round_stats', ['Map', 'Rounds']],
  ['team_stats', ['Final Score']],
]);

const numbers = new Map<string, number>([
  ['start', 0],
  ['end', 10],
  ['points', 1250],
  ['platform_elo', 2105],
  ['skill_level', 8],
  ['game_skill_level', 8],
  ['max_skill_level', 10],
  ['win_rate', 0.625],
  ['rating', 2080],
  ['winProbability', 50],
  ['slots', 64],
  ['number_of_players', 64],
  ['followers_count', 1200],
  ['best_of', 3],
  ['team_size', 5],
  ['max_players', 10],
]);

const texts = new Map<string, string>([
  ['platform_url', 'https://podium.example/{lang}/players/night-owl'],
  ['nickname', 'night-owl'],
  ['name', 'Winter Cup'],
  ['competition_name', 'Winter Cup'],
  ['organizer_name', 'Podium'],
  ['organizer_type', 'organization'],
  ['organizer_id', 'podium'],
  ['organizerId', 'podium'],
  ['leaderboard_name', 'Winter Cup, group 1'],
  ['description', 'Open to all'],
  ['queueName', 'Winter Cup queue'],
  ['entityType', 'hub'],
  ['state', 'OPEN'],
  ['captainSelection', 'random'],
  ['game', 'cs2'],
  ['game_id', 'cs2'],
  ['game_mode', '5v5'],
  ['mode', '5v5'],
  ['parent_game_id', 'cs2'],
  ['long_label', 'Counter-Strike 2'],
  ['short_label', 'CS2'],
  ['region', 'EU'],
  ['regions', 'EU'],
  ['game_player_id', '76561198000000000'],
  ['game_player_name', 'Night Owl'],
  ['steam_id_64', '76561198000000000'],
  ['demos', 'https://demos.podium.example/demo.dem.gz'],
  ['demo_url', 'https://demos.podium.example/demo.dem.gz'],
  ['best_of', '1'],
  ['country', 'de'],
  ['countries', 'de'],
  ['language', 'en'],
  ['platforms', 'steam'],
  ['memberships', 'free'],
  ['match_id', '1-5f3c1d2e-9b8a-4c7d-8e6f-0a1b2c3d4e5f'],
  ['leaderboard_id', '65a1b2c3d4e5f60718293a4b'],
  ['leaderboards', '65a1b2c3d4e5f60718293a4b'],
  ['winner', 'faction1'],
  ['status', 'finished'],
  ['type', 'bracket'],
  ['total_prize', '5000'],
  ['skill_level_label', '8'],
  ['color', '#ff5500'],
  ['map', 'Mirage'],
  ['label', 'Mirage'],
  ['Matches', '120'],
  ['Win Rate %', '54'],
  ['Kills', '21'],
  ['Deaths', '14'],
  ['Map', 'Mirage'],
  ['Rounds', '24'],
  ['Final Score', '13'],
  ['played', '1'],
  ['match_round', '1'],
  ['steam', '76561198000000000'],
]);

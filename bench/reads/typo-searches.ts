import { Random, Source } from '../../tools/competition/world/random';
import { withClient } from '../../tools/stack/with-client';
import { Target } from './reads-stack';

/** How many searches with typos have what was meant on their first page. */
export interface TypoSearches {
  /** What was typed: a name, or its first two thirds, with this many typos. */
  readonly typed: 'name' | 'beginning';
  readonly typos: 1 | 2;
  readonly searches: number;
  /** Searches of which the first page has the name, or one with the meant beginning. */
  readonly found: number;
}

const names = 300;
const pageSize = 20;
const minCharacters = 5;

/** Searches for the names of random players with typos, the same ones in each run. Only ASCII names: their folded form is their lower case. */
export async function searchWithTypos(databaseUrl: string, service: Target): Promise<TypoSearches[]> {
  const sampled = await sampleNames(databaseUrl);
  const results: TypoSearches[] = [];
  for (const typed of ['name', 'beginning'] as const)
    for (const typos of [1, 2] as const) {
      const source = new Source(1, `${typed} ${typos}`);
      let searches = 0;
      let found = 0;
      for (const [index, name] of sampled.entries()) {
        const meant = typed === 'name' ? name : beginningOf(name);
        const text = withTypos(meant, typos, source.random(index));
        // Such a text needs no similar names.
        if (name.includes(text)) continue;
        searches++;
        const isMeant = (found: string): boolean => (typed === 'name' ? found === name : found.startsWith(meant));
        if ((await search(service, text)).some(isMeant)) found++;
      }
      results.push({ typed, typos, searches, found });
    }
  return results;
}

/** The lines of a report. */
export function describeTypoSearches(results: readonly TypoSearches[]): string[] {
  return [
    '',
    ...results.map(
      ({ typed, typos, searches, found }) =>
        `Searches for a ${typed} with ${typos} typo${typos === 1 ? '' : 's'}: ` +
        `${((100 * found) / searches).toFixed(1)} % of ${searches} have it on the first page`,
    ),
  ];
}

function sampleNames(databaseUrl: string): Promise<string[]> {
  return withClient(databaseUrl, async (client) => {
    const { rows: sets } = await client.query<{ live: string }>('SELECT live FROM competition_read.live_set');
    const { rows } = await client.query<{ folded: string }>(
      `SELECT folded FROM competition_read.names_${sets[0].live}
       WHERE kind = 'player' AND length(folded) > $1 AND folded ~ '^[!-~]+$' ORDER BY md5('typo' || id) LIMIT ${names}`,
      [minCharacters],
    );
    return rows.map(({ folded }) => folded);
  });
}

function beginningOf(name: string): string {
  const characters = Array.from(name);
  return characters.slice(0, Math.max(minCharacters, Math.ceil((2 * characters.length) / 3))).join('');
}

function withTypos(text: string, typos: number, random: Random): string {
  let characters = Array.from(text);
  for (let typo = 0; typo < typos; typo++) characters = withTypo(characters, random);
  return characters.join('');
}

/** A character replaced, inserted or left out, or two adjacent ones swapped. */
function withTypo(characters: readonly string[], random: Random): string[] {
  const at = random.below(characters.length);
  const first = random.below(characters.length - 1);
  const other = random.pick(Array.from('abcdefghijklmnopqrstuvwxyz0123456789'));
  return random.pick([
    () => characters.toSpliced(at, 1, other),
    () => characters.toSpliced(at, 0, other),
    () => characters.toSpliced(at, 1),
    () => characters.toSpliced(first, 2, characters[first + 1], characters[first]),
  ])();
}

/** The names on the first page, folded as ASCII ones are. */
async function search({ host, port, prefix, headers }: Target, text: string): Promise<string[]> {
  const path = `${prefix}/search/players?nickname=${encodeURIComponent(text)}&limit=${pageSize}`;
  const response = await fetch(`http://${host}:${port}${path}`, { headers });
  if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}`);
  const { items } = (await response.json()) as { items: { nickname: string }[] };
  return items.map(({ nickname }) => nickname.toLowerCase());
}

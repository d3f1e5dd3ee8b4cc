import { CompetitionChange, KeyScope } from '@podium/messages';
import { RunningReads, startReads } from '../../../test/running-reads';
import { sampleChange } from '../../../test/sample';
import { finishedAt, smallWorld, world } from '../../../test/small-world';
import { requests } from '../../../test/small-world-requests';
import { contentOf } from '../../projection/project';
import { readRows } from './read-rows';

/** JSON can carry these escaped, but PostgreSQL reads neither in its JSON types. */
const foreign = '\0 and \ud800, \\u0000';
/** As reads serve them. */
const served = foreign.toWellFormed();

/** What reads add, as a producer may put it in on its own. */
const added = { game_data: foreign, organizer_data: foreign, position: foreign };

/** The change with texts in its document that are in no schema. */
function withForeignTexts(change: CompetitionChange): CompetitionChange {
  const content = contentOf(change);
  if (content === null) return change;
  const { name } = content.document as { name?: string };
  const named = name === undefined || content.kind === 'organizer' ? {} : { name: `${name} ${foreign}` };
  const document = { ...content.document, ...named, ...added, undeclared: foreign };
  return { ...change, data: { ...change.data, document } } as CompetitionChange;
}

describe('reads of documents with texts that PostgreSQL reads in no JSON', () => {
  let running: RunningReads;
  let plain: RunningReads;

  beforeAll(async () => {
    const scopes: KeyScope[] = [{ scope: 'data:read' }, { scope: 'queues:developer', game_ids: [world.game] }];
    const now = () => (finishedAt + 1800) * 1000;
    [running, plain] = [await startReads({ scopes, now }), await startReads({ scopes, now })];
    await running.apply(smallWorld().map(withForeignTexts));
    await plain.apply(smallWorld());
  });
  afterAll(async () => {
    await running.stop();
    await plain.stop();
  });

  const textOf = async (path: string): Promise<string> => String((await running.client.get(path)).bytes);

  it.each(readRows.map(({ id }) => id))('%s finds the same, with these texts', async (id) => {
    const { status, body } = await running.client.get(requests[id]);
    expect(status).toBe(200);
    const { body: expected } = await plain.client.get(requests[id]);
    expect(cleaned(body)).toEqual(cleaned(expected));
    expect(await textOf(requests[id])).not.toMatch(/(?<!\\)\\ud[89a-f]/);
  });

  it.each(readRows.filter(({ query }) => 'expanded' in query).map(({ id }) => id))(
    '%s adds only what is asked for, and once',
    async (id) => {
      const [path] = requests[id].split('?');
      expect(await textOf(path)).not.toMatch(/"(game|organizer)_data"/);
      const text = await textOf(`${path}?expanded=game`);
      expect(text.match(/"(game|organizer)_data":\{/g)).toEqual(['"game_data":{']);
    },
  );

  it('finds organizers and games with backslashes in their ids, whatever follows', async () => {
    const [organizer_id, game_id, parent] = ['teams\\united', 'g\\\\u0041\\', 'p\\b\\f\\"\\u'];
    const named = { name: 'Backslash Open', organizer_id, game_id };
    await running.apply([
      sampleChange('organizer', { document: { organizer_id, name: 'United' } }),
      sampleChange('game', { document: { game_id, parent_game_id: parent } }),
      sampleChange('game', { document: { game_id: parent } }),
      sampleChange('hub', { document: { hub_id: 'backslash', ...named, description: foreign } }),
    ]);
    const [hub, found, parentGame] = await Promise.all(
      [
        '/hubs/backslash?expanded=organizer,game',
        '/search/hubs?name=Backslash',
        `/games/${encodeURIComponent(game_id)}/parent`,
      ].map(async (path) => (await running.client.get(path)).body),
    );
    expect(hub).toMatchObject({ organizer_data: { organizer_id }, game_data: { game_id } });
    expect(found).toMatchObject({ items: [{ organizer_id, organizer_name: 'United' }] });
    expect(parentGame).toMatchObject({ game_id: parent });
  });

  it('adds a position once', async () => {
    for (const id of ['getLeaderboard', 'getPlayerRankingInLeaderboard', 'getPlayerForLeagueSeason'] as const) {
      const text = await textOf(requests[id]);
      expect(text.match(/"position":\d/g)).toHaveLength(text.match(/"points"/g)?.length ?? 0);
    }
  });
});

/** The body without the texts, for comparison with that of the world without them. */
function cleaned(body: unknown): unknown {
  const text = JSON.stringify(body, (_, value: unknown) => {
    if (value === served) return undefined;
    return typeof value === 'string' ? value.replace(` ${served}`, '') : value;
  });
  return JSON.parse(text) as unknown;
}

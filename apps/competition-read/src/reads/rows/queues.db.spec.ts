import { KeyScope } from '@podium/messages';
import { RunningReads, startReads } from '../../../test/running-reads';
import { smallWorld, world } from '../../../test/small-world';
import { requests } from '../../../test/small-world-requests';
import { readRows } from './read-rows';

const reader: KeyScope = { scope: 'data:read' };
const developer: KeyScope = { scope: 'queues:developer', game_ids: ['dota2', world.game] };
const otherDeveloper: KeyScope = { scope: 'queues:developer', game_ids: ['dota2'] };
const organizer: KeyScope = { scope: 'queues:organizer', organizer_ids: [world.organizer, 'nobody'] };
const rival: KeyScope = { scope: 'queues:organizer', organizer_ids: ['rival'] };
const both: KeyScope = { scope: 'queues:organizer', organizer_ids: ['rival', world.organizer] };
const unnamed: KeyScope = { scope: 'queues:organizer', organizer_ids: [''] };
const stranger: KeyScope = { scope: 'queues:organizer', organizer_ids: ['stranger'] };

const [own, foreign] = world.queues;
const entity = `/games/cs2/queues?entity_type=hub&entity_id=${world.hub}`;
const region = '/games/cs2/regions/EU/queues';

describe('what keys may read', () => {
  let running: RunningReads;

  beforeAll(async () => {
    running = await startReads();
    await running.apply(smallWorld());
  });
  afterAll(() => running.stop());

  const queueRows = readRows.filter(({ scope }) => scope !== 'data:read').map(({ id }) => id);

  it.each(readRows.map(({ id }) => id).filter((id) => !queueRows.includes(id)))(
    '%s needs data:read, which no queue scope implies',
    async (id) => {
      for (const scopes of [[], [developer, organizer]])
        expect(await running.client.get(requests[id], { scopes })).toMatchObject({
          status: 403,
          body: { errors: [{ code: 'err_f0', http_status: 403, parameters: [] }] },
        });
      expect((await running.client.get(requests[id], { scopes: [reader] })).status).toBe(200);
    },
  );

  it.each([
    ['data:read', [reader]],
    ['nothing', []],
    ['the developer of another game', [otherDeveloper]],
    ['an organizer without a name', [unnamed]],
  ] as const)('refuses all queues to %s', async (_, scopes) => {
    for (const id of queueRows) expect((await running.client.get(requests[id], { scopes })).status).toBe(403);
  });

  it.each([
    ['the developer of the game', [developer], [own, foreign]],
    ['the developer who is an organizer too', [developer, organizer], [own, foreign]],
    ['an organizer', [organizer], [own]],
    ['another organizer', [rival], [foreign]],
    ['who is both organizers', [both], [own, foreign]],
    ['an organizer who is the developer of another game', [otherDeveloper, organizer], [own]],
    ['an organizer without queues there', [stranger], []],
  ] as const)('shows %s their queues of an entity', async (_, scopes, ids) => {
    const { status, body } = await running.client.get(entity, { scopes });
    expect(status).toBe(200);
    expect((body as { items: { id: string }[] }).items.map(({ id }) => id)).toEqual(ids);
  });

  it.each([
    ['the developer of the game', [developer], 200, 200, 200],
    ['the organizer of the queue', [organizer], 200, 403, 403],
    ['another organizer', [rival], 403, 200, 403],
  ] as const)('opens queues and bans to %s as they own them', async (_, scopes, ofOwn, ofForeign, ofRegion) => {
    const status = async (path: string) => (await running.client.get(path, { scopes })).status;
    for (const below of ['', '/bans']) {
      expect(await status(`/games/cs2/queues/${own}${below}`)).toBe(ofOwn);
      expect(await status(`/games/cs2/queues/${foreign}${below}`)).toBe(ofForeign);
    }
    expect(await status(region)).toBe(ofRegion);
  });

  it('has a queue under its own game alone, and no queues of what is not there', async () => {
    const scopes: KeyScope[] = [{ scope: 'queues:developer', game_ids: ['cs2', 'cs2_sea', 'nothing'] }];
    for (const [path, status] of [
      [`/games/cs2/queues/${own}`, 200],
      [`/games/cs2_sea/queues/${own}`, 404],
      [`/games/cs2_sea/queues/${own}/bans`, 404],
      [`/games/nothing/queues?entity_type=hub&entity_id=${world.hub}`, 404],
      ['/games/cs2/queues?entity_type=hub&entity_id=nothing', 200],
      ['/games/nothing/regions/EU/queues', 404],
      ['/games/cs2/regions/ZZ/queues', 404],
      ['/games/cs2/regions/US/queues', 200],
    ] as const)
      expect([path, (await running.client.get(path, { scopes })).status]).toEqual([path, status]);
  });
});

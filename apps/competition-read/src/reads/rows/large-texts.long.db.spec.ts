import { CompetitionChange, MatchStatsRound, TeamMember } from '@podium/messages';
import { RunningReads, startReads } from '../../../test/running-reads';
import { sampleChange, sampleOf } from '../../../test/sample';

const mib = 1024 * 1024;
const leaderboard = '65a1b2c3d4e5f60718293a4b';
const long = 'x'.repeat(4 * mib);
const numbers = [0, 1, 2, 3, 4];

describe('pages of large texts that are no documents', () => {
  let running: RunningReads;

  beforeAll(async () => {
    running = await startReads({ documentCacheBytes: 64 * mib, answerCacheBytes: 64 * mib });
    await running.apply([
      sampleChange('game', { document: { game_id: 'cs2' } }),
      sampleChange('player', { document: { player_id: 'owl' } }),
      sampleChange('leaderboard', { document: { leaderboard_id: leaderboard } }),
    ]);
    for (const number of numbers) await running.apply([entryOf(number), clanOf(number), statsOf(number)]);
  }, 60_000);
  afterAll(() => running.stop());

  // Four texts of 4 MiB with what is around them are more than 16 MiB.
  it.each([
    ['a ranking', `/leaderboards/${leaderboard}?`],
    ['a ranking from a place on', `/leaderboards/${leaderboard}?offset=1&`],
    ['a search', '/search/clans?name=clan&'],
    ['a search for similar names', '/search/clans?name=klan-clan&'],
    ['statistics of a player', '/players/owl/games/cs2/stats?'],
  ])('are refused where they have more than the process can hold for many: %s', async (_, path) => {
    for (const limit of [20, 4]) {
      const { status, body } = await running.client.get(`${path}limit=${limit}`);
      expect([limit, status, body]).toMatchObject([limit, 400, { errors: [{ parameters: ['limit'] }] }]);
    }
    const { status, body } = await running.client.get(`${path}limit=3`);
    expect([status, (body as { items: unknown[] }).items.length]).toEqual([200, 3]);
  });

  it.each([
    ['a ranking', `/leaderboards/${leaderboard}?`],
    ['a search', '/search/clans?name=clan&'],
    ['statistics of a player', '/players/owl/games/cs2/stats?'],
  ])('are read whole, page by page, with a smaller limit: %s', async (_, path) => {
    let found = 0;
    for (let link: string | undefined = `${path}limit=1`; link !== undefined;) {
      const { status, body, headers } = await running.client.get(link);
      expect(status).toBe(200);
      found += (body as { items: unknown[] }).items.length;
      link = /<\/data\/v4([^>]*)>; rel="next"/.exec(String(headers.link ?? ''))?.[1];
    }
    expect(found).toBe(numbers.length);
  });

  it('have room for one text of any size', async () => {
    const changes = [entryOf(9, 'x'.repeat(17 * mib)), clanOf(9, 'x'.repeat(17 * mib))];
    await running.apply(changes);
    for (const path of [`/leaderboards/${leaderboard}`, '/search/clans?name=clan-9']) {
      const { status, bytes } = await running.client.get(`${path}${path.includes('?') ? '&' : '?'}limit=1`);
      expect([path, status, bytes.length > 17 * mib]).toEqual([path, 200, true]);
    }
  });
});

function entryOf(number: number, text = long): CompetitionChange {
  const player = { ...(sampleOf(TeamMember) as TeamMember), user_id: `owl-${number}`, note: text };
  const document = { player, points: 100 + number } as never;
  return sampleChange('leaderboard-entry', { document, beside: { leaderboard_id: leaderboard } });
}

function clanOf(number: number, text = long): CompetitionChange {
  return sampleChange('clan', { document: { id: `clan-${number}`, name: `clan-${number}`, note: text } as never });
}

function statsOf(number: number): CompetitionChange {
  const players = [{ player_id: 'owl', nickname: 'owl', player_stats: { Note: long } }];
  const teams = [{ team_id: 'team', premade: false, team_stats: {}, players }];
  const round = { ...(sampleOf(MatchStatsRound) as MatchStatsRound), match_id: `1-${number}`, game_id: 'cs2', teams };
  return sampleChange('match-stats', {
    document: { rounds: [round] },
    beside: { finished_at: 1000 + number },
  });
}

import { QueueDetails } from '@podium/messages';
import { picture } from '../addresses';
import { dayS, iso } from '../clock';
import { documentOf, WorldDocument } from './document';
import { gameRow } from '../games';
import { MatchmakingFacts, QueueFacts } from '../matchmakings';
import { pools } from '../population';
import { Random, Source } from '../random';
import { banReasons } from '../words';
import { World } from '../world';

/** Matchmakings, queues and bans from queues. */
export function* matchmakingDocuments(world: World): Generator<WorldDocument> {
  const { options, matchmakings, population, players } = world;
  const { seed, nowS } = options;
  for (let index = 0; index < matchmakings.count; index++)
    yield matchmakingOf(matchmakings.factsOf(index), matchmakings.queuesOf(index));
  const details = new Source(seed, 'queue details');
  const banIds = new Source(seed, 'queue ban');
  const algorithmIds = new Source(seed, 'queue algorithm');
  let bans = 0;
  for (let index = 0; index < matchmakings.queueCount; index++) {
    const queue = matchmakings.queueOf(index);
    const random = details.random(index);
    yield documentOf('queue', queue.id, queueOf(queue, algorithmIds.uuid(index), random, nowS), {});
    const pool = pools.find(({ game, region }) => game === queue.game && region === queue.region);
    const total = pool === undefined ? 0 : population.playersIn(pool);
    if (pool === undefined || total === 0) continue;
    for (let left = index === 0 ? 25 : random.below(4); left > 0; left--) {
      const player = players.factsOf(population.playerAt(pool, random.below(total)));
      yield banOf(queue, banIds.uuid(bans++), player, random, nowS);
    }
  }
}

function matchmakingOf({ id, name, pool, leagueId }: MatchmakingFacts, queues: readonly QueueFacts[]): WorldDocument {
  const { longLabel } = gameRow(pool.game);
  return documentOf(
    'matchmaking',
    id,
    {
      game: pool.game,
      icon: picture('matchmakings', id, 'svg'),
      id,
      league_id: leagueId,
      long_description: `Ranked ${longLabel} against players of your level in ${pool.region}. Wins raise your rating, losses lower it; the season's league counts both.`,
      name,
      queues: queues.map((queue) => ({
        id: queue.id,
        name: queue.name,
        open: queue.open,
        organizer_id: queue.organizerId,
        paused: queue.paused,
      })),
      region: pool.region,
      short_description: `Ranked ${longLabel} in ${pool.region}`,
    },
    {},
  );
}

function queueOf(queue: QueueFacts, algorithmId: string, random: Random, nowS: number): QueueDetails {
  const { id, name, game, region, organizerId, entityType, entityId, open, paused } = queue;
  return {
    adminTool: false,
    anticheatRequired: true,
    calculateElo: true,
    captainSelection: random.pick(['BY_RATING', 'RANDOM']),
    checkIn: { time: random.pick([30, 45, 60]) },
    entityId,
    entityType,
    fbiManagement: false,
    game,
    groupSimilar: random.chance(50),
    id,
    joinType: { maxParty: 5, party: true, premade: random.chance(30), solo: true },
    lastModified: iso(nowS - random.between(1, 400) * dayS),
    maxSkill: 10,
    minSkill: 1,
    noOfPlayers: 10,
    open,
    organizerId,
    paused,
    queueAlgorithm: {
      algorithmId: 'elo-band',
      algorithmInput: ['elo', 'party', 'ping'],
      algorithmParameters: { band: { value: random.pick([100, 150, 200, 300]) } },
      geoDescription: { en: `Servers in ${region}` },
      geoLabel: { en: region },
      id: algorithmId,
      roleBasedCaptainPick: false,
    },
    queueName: name,
    region,
    state: !open ? 'CLOSED' : paused ? 'PAUSED' : 'OPEN',
    verifiedMatching: random.chance(20),
  };
}

function banOf(
  { id, organizerId, entityType, entityId }: QueueFacts,
  banId: string,
  player: { id: string; nickname: string },
  random: Random,
  nowS: number,
): WorldDocument {
  const startS = nowS - random.between(0, 120 * dayS);
  const endS = startS + random.pick([1, 2, 7, 30]) * dayS;
  // Some were changed after their creation.
  const changedS = random.chance(20) ? Math.min(nowS, startS + random.below(endS - startS)) : startS;
  return documentOf(
    'queue-ban',
    banId,
    {
      banEnd: iso(endS),
      banId,
      banStart: iso(startS),
      createdAt: iso(startS),
      entityId,
      entityType,
      expired: endS < nowS,
      lastModified: iso(changedS),
      nickname: player.nickname,
      organizerId,
      queueId: id,
      reason: random.pick(banReasons),
      type: random.pick(['queue', 'afk', 'leaver']),
      userId: player.id,
      version: changedS === startS ? 1 : 2,
    },
    {},
  );
}

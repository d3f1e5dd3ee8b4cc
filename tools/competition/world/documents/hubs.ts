import { CompetitionDocument, HubRole, recordKey } from '@podium/messages';
import { page, picture } from '../addresses';
import { dayS } from '../clock';
import { documentOf, WorldDocument } from './document';
import { gameRow } from '../games';
import { HubFacts, Hubs } from '../hubs';
import { drawRecord, entryDocument, leaderboardDocument, PlayRecord } from './leaderboards';
import { Players } from '../players';
import { Random, Source } from '../random';
import { hubStats } from '../statistics';
import { World } from '../world';

const seasonS = 90 * dayS;

/** A ranking of all time ends in the distant future. */
const endlessS = 10 * 365 * dayS;

const roles: readonly Pick<HubRole, 'name' | 'color' | 'visible_on_chat'>[] = [
  { name: 'Owner', color: '#ff5500', visible_on_chat: true },
  { name: 'Moderator', color: '#2f80ed', visible_on_chat: true },
  { name: 'Member', color: '#9b9b9b', visible_on_chat: false },
];

/** All documents of hubs: themselves, rules, roles, leaderboards, members with their statistics and points. */
export function* hubDocuments({ options: { seed, nowS }, hubs, players }: World): Generator<WorldDocument> {
  const details = new Source(seed, 'hub details');
  for (let index = 0; index < hubs.count; index++) {
    const hub = hubs.factsOf(index);
    const random = details.random(index);
    yield documentOf('hub', hub.id, hubOf(hub, hubs.ruleIdOf(index), random), {});
    yield rulesOf(hub, hubs.ruleIdOf(index));
    for (const [number, role] of roles.entries()) {
      const roleId = hubs.roleIdOf(index, number);
      const document = { ...role, ranking: number + 1, role_id: roleId };
      yield documentOf('hub-role', recordKey(hub.id, roleId), document, { hub_id: hub.id });
    }
    yield* leaderboardsOf(hub, hubs, nowS);
    yield* membersOf(hub, hubs, players, random, nowS);
  }
}

function hubOf(hub: HubFacts, ruleId: string, random: Random): CompetitionDocument<'hub'> {
  const { index, id, name, game, region, organizer, members } = hub;
  return {
    avatar: picture('hubs', id),
    background_image: picture('hubs/backgrounds', id),
    chat_room_id: `hub-${id}`,
    cover_image: picture('hubs/covers', id),
    description: `${name}: ${gameRow(game).longLabel} matches around the clock, with seasons, prizes and fair play.`,
    platform_url: page('hub', id),
    game_id: game,
    hub_id: id,
    join_permission: index === 0 || random.chance(70) ? 'PUBLIC' : 'INVITED_ONLY',
    max_skill_level: 10,
    min_skill_level: index === 0 ? 1 : random.between(1, 4),
    name,
    organizer_id: organizer.id,
    players_joined: members,
    region,
    rule_id: ruleId,
  };
}

function rulesOf({ id, name, game, organizer }: HubFacts, ruleId: string): WorldDocument {
  return documentOf(
    'hub-rules',
    id,
    {
      body: `1. Respect other players.\n2. Do not leave a match before its end.\n3. No third-party software.\n4. The moderators of ${name} decide disputes.`,
      game,
      name: `Rules of ${name}`,
      organizer: organizer.id,
      rule_id: ruleId,
    },
    {},
  );
}

function* leaderboardsOf(hub: HubFacts, hubs: Hubs, nowS: number): Generator<WorldDocument> {
  for (let season = 0; season <= hub.seasons; season++) {
    const isLast = season === hub.seasons;
    const startS = nowS - (hub.seasons - season) * seasonS - 30 * dayS;
    yield leaderboardDocument({
      competition_id: hub.id,
      competition_type: 'hub',
      end_date: season === 0 ? nowS + endlessS : startS + seasonS,
      game_id: hub.game,
      group: 0,
      leaderboard_id: hubs.leaderboardIdOf(hub.index, season),
      leaderboard_name: season === 0 ? `${hub.name} all time` : `${hub.name} season ${season}`,
      leaderboard_type: season === 0 ? 'hub_general' : 'hub_season',
      ranking_type: 'solo',
      region: hub.region,
      season,
      start_date: season === 0 ? nowS - 2 * 365 * dayS : startS,
      status: season === 0 || isLast ? 'ONGOING' : 'FINISHED',
    });
  }
}

/** Members with their statistics, their points of each season, for half of them, and of all time: no less than of seasons. */
function* membersOf(
  hub: HubFacts,
  hubs: Hubs,
  players: Players,
  random: Random,
  nowS: number,
): Generator<WorldDocument> {
  const beside = { hub_id: hub.id };
  for (let place = 0; place < hub.members; place++) {
    const player = players.factsOf(hub.memberAt(place));
    const role = place === 0 ? 0 : place % 20 === 1 ? 1 : 2;
    yield documentOf(
      'hub-member',
      recordKey(hub.id, player.id),
      {
        avatar: player.avatar,
        platform_url: player.page,
        nickname: player.nickname,
        roles: [hubs.roleIdOf(hub.index, role)],
        user_id: player.id,
      },
      { ...beside, joined_at: nowS - random.between(40, 700) * dayS },
    );
    let total = drawRecord(random);
    for (let season = 1; season <= hub.seasons; season++) {
      if (place > 0 && random.chance(50)) continue;
      const record = drawRecord(random);
      total = sumOf(total, record);
      yield entryDocument(hubs.leaderboardIdOf(hub.index, season), player, record);
    }
    yield entryDocument(hubs.leaderboardIdOf(hub.index, 0), player, total);
    const stats = hubStats(total.played, total.won, random);
    const document = { nickname: player.nickname, player_id: player.id, stats };
    yield documentOf('hub-player-stats', recordKey(hub.id, player.id), document, beside);
  }
}

/** Two records one after the other. */
function sumOf(earlier: PlayRecord, later: PlayRecord): PlayRecord {
  return { played: earlier.played + later.played, won: earlier.won + later.won, streak: later.streak };
}

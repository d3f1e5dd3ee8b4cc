import { UserEventData } from '@podium/messages';
import { horizonS } from '../../engagement/test/applying-events';
import { World, memberAt, owedOf } from '../../engagement/test/oracle';
import { linkedAt, replayDefinitions, users } from './replay-definitions';

/** Compares with a naive recomputation over all sent events. */
export function expectRecomputed({
  sent,
  nowS,
  members,
  paid,
}: {
  sent: readonly UserEventData[];
  nowS: number;
  members: Set<string>;
  paid: Map<string, Set<string>>;
}): void {
  for (const userId of users) {
    const world = worldOf(sent.filter((each) => each.user_id === userId));
    for (const definition of replayDefinitions) {
      const { definitionId } = definition;
      const key = `${userId}/${definitionId}`;
      if (definition.kind === 'segment')
        expect([key, members.has(key)]).toEqual([key, memberAt(world, definition, nowS)]);
      else {
        const owed = owedOf(world, definition, nowS, { limit: 1_000 }).map(({ occurrence }) => occurrence);
        expect([key, [...(paid.get(key) ?? [])].sort()]).toEqual([key, owed.sort()]);
      }
    }
  }
}

function worldOf(events: readonly UserEventData[]): World {
  const accounts = new Map(events.map(({ linked_at, platform_user_id }) => [linked_at, platform_user_id]));
  return {
    definitions: replayDefinitions,
    links: [...new Map([[linkedAt, ''], ...accounts])].map(([at, account]) => ({
      linkedAt: at,
      unlinkedAt: null,
      account,
    })),
    rates: [],
    horizonS,
    events: events.map(({ event: { id, name, created_at, attributes }, ...data }) => ({
      ...{ id, name, createdAt: created_at, linkedAt: data.linked_at, account: data.platform_user_id },
      receivedAt: Math.floor(data.received_at / 1000),
      contractVersion: data.contract_version,
      attributes: Object.fromEntries(attributes.map(({ name: attribute, value }) => [attribute, value])),
    })),
  };
}

import { UserEventData } from '@podium/messages';
import { OracleEvent, oracleMember, oracleOccurrences } from '../../engagement/test/oracle';
import { linkedAt, nowS, segments, tasks, types, users } from './replay-definitions';

/** Compares with a naive recomputation over all sent events. */
export function expectRecomputed({
  sent,
  countsFromMs,
  members,
  paid,
}: {
  sent: readonly UserEventData[];
  countsFromMs: number;
  members: Set<string>;
  paid: Map<string, Set<string>>;
}): void {
  for (const userId of users) {
    const counted = sent
      .filter((each) => each.user_id === userId && each.received_at >= countsFromMs)
      .map(({ event: { id, name, created_at, attributes }, linked_at }): OracleEvent => ({
        id,
        name,
        createdAt: created_at,
        linkedAt: linked_at,
        attributes,
      }));
    for (const [id, body] of Object.entries(segments))
      expect([userId, id, members.has(`${userId}/${id}`)]).toEqual([
        userId,
        id,
        oracleMember({ body, types }, counted, nowS, linkedAt),
      ]);
    for (const [id, body] of Object.entries(tasks))
      expect([userId, id, paid.get(`${userId}/${id}`) ?? new Set()]).toEqual([
        userId,
        id,
        oracleOccurrences({ body, generation: 1, types }, counted, nowS),
      ]);
  }
}

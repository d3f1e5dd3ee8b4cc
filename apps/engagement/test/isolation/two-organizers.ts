import { LinkData, UserEventData } from '@podium/messages';
import { userEvent } from '@podium/testing/user-event';
import { applyBatch } from '../../src/applying/apply-batch';
import { applyLinks } from '../../src/link-view/apply-links';
import { leadingRelay } from '../leading-relay';
import { OperatorCaller } from '@podium/testing/operator-routes';
import { OperatorsApi, startOperatorsApi } from '../operators-api';
import { seedRates } from './seeded-rates';
import { SideTrials, seedTrials } from './seeded-trials';

/** What one organizer has. */
export interface Side {
  readonly organizerId: string;
  readonly platform: string;
  /** A user of this organizer alone. */
  readonly userId: string;
  readonly taskId: string;
  readonly segmentId: string;
  /** Rows of what the task has not issued. */
  readonly unissuedIds: readonly number[];
  /** Of the segment. */
  readonly previews: SideTrials;
  /** Of the task. */
  readonly dryRuns: SideTrials;
  /** Text that stands in everything that belongs to this side: names, accounts, events, ids. */
  readonly marks: readonly string[];
}

/** A user who is linked at both platforms, with an account of each. */
export const sharedUserId = 'shared-user';

const events = [
  {
    name: 'deposit',
    kind: 'repeatable' as const,
    attributes: [
      { name: 'amount', type: 'decimal' as const },
      { name: 'of', type: 'string' as const },
    ],
  },
];

/** The API with two organizers, of a platform each, and with a relay that publishes all topics. */
export async function startApiOfTwo(): Promise<OperatorsApi> {
  const organizers = { 'platform-of-a': 'organizer-of-a', 'platform-of-b': 'organizer-of-b' };
  const api = await startOperatorsApi(organizers, events);
  const leader = await leadingRelay(api.pool);
  const stop = (): Promise<void> => {
    leader.release();
    return api.stop();
  };
  return { ...api, stop };
}

const unknownTrials: Pick<Side, 'previews' | 'dryRuns'> = {
  previews: { finishedId: '00000000-0000-4000-8000-00000000000a', waitingId: '00000000-0000-4000-8000-00000000000b' },
  dryRuns: { finishedId: '00000000-0000-4000-8000-00000000000c', waitingId: '00000000-0000-4000-8000-00000000000d' },
};

/** A side of which nothing exists. */
export function unknownSide(of: Side): Side {
  return {
    ...of,
    organizerId: 'organizer-of-nobody',
    platform: 'platform-of-nobody',
    userId: 'user-of-nobody',
    taskId: '00000000-0000-4000-8000-00000000000f',
    segmentId: '00000000-0000-4000-8000-00000000000e',
    unissuedIds: [999_999_998, 999_999_999],
    ...unknownTrials,
  };
}

/** Gives both organizers definitions, users, awards, evidence, held awards, trials and rates. */
export async function seedSides(api: OperatorsApi): Promise<{ readonly a: Side; readonly b: Side }> {
  const untried = [await seedSide(api, 'a'), await seedSide(api, 'b')];
  const trials = await seedTrials(api, untried);
  const [a, b] = untried.map((side, at): Side => {
    const { previews, dryRuns } = trials[at];
    return { ...side, ...trials[at], marks: [...side.marks, ...Object.values(previews), ...Object.values(dryRuns)] };
  });
  return { a, b };
}

/** All but the trials, which are run of both at once. */
async function seedSide(api: OperatorsApi, name: 'a' | 'b'): Promise<Omit<Side, 'previews' | 'dryRuns'>> {
  const [organizerId, platform, userId] = ['organizer', 'platform', 'user'].map((noun) => `${noun}-of-${name}`);
  const author: OperatorCaller = { operatorId: `author-of-${name}`, roles: { [organizerId]: 'editor' } };
  const publisher: OperatorCaller = { operatorId: `publisher-of-${name}`, roles: { [organizerId]: 'approver' } };
  const created = async (kind: 'task' | 'segment', body: object): Promise<string> => {
    const path = `/admin/v1/${kind}s`;
    const given = { platform, name: `${kind}-of-${name}`, ...body };
    const answer = await api.call(author, 'POST', path, given);
    if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
    const id = (JSON.parse(answer.text) as Record<string, string>)[`${kind}_id`];
    await expectOk(api.call(publisher, 'POST', `${path}/${id}/publish`, {}));
    // A draft, so that there is something to publish.
    const { platform: _platform, ...draft } = given;
    await expectOk(api.call(author, 'POST', `${path}/${id}/versions`, draft));
    return id;
  };
  const count = { count: { event: 'deposit' }, window: { lifetime: true }, op: 'gte', value: 1 };
  const task = {
    ...{ goal: { ...count, window: { since: 'link' } }, repeat: { every: 1 }, max_per_user: 100, max_per_event: 1 },
    ...{ reward: { type: 'points', amount: '1' }, budget: { total: '1000' } },
  };
  const segmentId = await created('segment', { condition: count });
  const taskId = await created('task', task);
  // So that lists have a second page.
  const others = [await created('segment', { condition: count }), await created('task', task)];
  await fill(api, name, [userId, sharedUserId]);
  await seedRates(api, organizerId, { author, publisher });
  const { rows } = await api.pool.query<{ id: number }>(
    'SELECT unissued_id AS id FROM engagement.unissued_awards WHERE task_id = $1 ORDER BY 1',
    [taskId],
  );
  if (rows.length !== 4) throw new Error(`expected two held awards of each user, found ${rows.length}`);
  const unissuedIds = rows.map(({ id }) => id);
  const marks = [`-of-${name}`, taskId, segmentId, ...others];
  return { organizerId, platform, userId, taskId, segmentId, unissuedIds, marks };
}

/** Links users, and sends each three deposits of one second, of which one award is issued and two are held. */
async function fill(api: OperatorsApi, name: string, userIds: readonly string[]): Promise<void> {
  const nowS = Math.floor(Date.now() / 1000);
  const linkedAt = nowS - 3600;
  const place = { topic: `topic-of-${name}`, partition: 0, position: 'any', nextOffset: 1n } as const;
  const account = (userId: string): string => `account-of-${name}-${userId}`;
  const links = userIds.map((userId, index) => ({
    revision: index + 1,
    data: {
      ...{ link_id: `link-of-${name}-${userId}`, integration_id: `platform-of-${name}`, state: 'ready' },
      ...{ platform: `platform-of-${name}`, organizer_id: `organizer-of-${name}`, user_id: userId },
      ...{ platform_user_id: account(userId), linked_at: linkedAt },
    } satisfies LinkData,
  }));
  await applyLinks(api.parts, { ...place, erased: [], links });
  const deposit = (userId: string, n: number): { data: UserEventData } => ({
    data: {
      ...userEvent({
        ...{ id: `event-of-${name}-${userId}-${n}`, userId, platformUserId: account(userId), createdAt: nowS },
        ...{ platform: `platform-of-${name}`, attributes: { amount: '1', of: `value-of-${name}` } },
      }),
      ...{ organizer_id: `organizer-of-${name}`, linked_at: linkedAt },
    },
  });
  const sent = userIds.flatMap((userId) => [1, 2, 3].map((n) => deposit(userId, n)));
  await applyBatch(api.parts, { ...place, topic: `events-of-${name}`, events: sent });
}

async function expectOk(answer: ReturnType<OperatorsApi['call']>): Promise<void> {
  const { status, text } = await answer;
  if (status >= 300) throw new Error(`the API answered ${status}: ${text}`);
}

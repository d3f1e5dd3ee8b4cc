import { LinkData, identityDigest } from '@podium/messages';
import { userEvent } from '@podium/testing/user-event';
import { EraseUsers } from '../src/erasures/erase-users';
import type { HistoryEvent, LinkPeriod } from '../src/evaluation/history';
import { applyLinks } from '../src/link-view/apply-links';
import { linksPlace } from './applied-tables';
import type { CombinedParts } from './combined-parts';
import { type CombinedStep, places, users } from './combined-steps';
import type { World } from './oracle';

/** The users of a platform: what they do, whose accounts are theirs, and what is left of them. */
export class CombinedUsers {
  private readonly links = new Map<string, LinkPeriod[]>(users.map((user) => [user, []]));
  private readonly events = new Map<string, HistoryEvent[]>(users.map((user) => [user, []]));
  private readonly erasedAt = new Map<string, number>();
  private count = 0;
  private revision = 0;

  constructor(
    private readonly world: CombinedParts,
    private readonly place: (typeof places)[number],
  ) {}

  /** Since the user was erased, if that has happened. */
  of(user: string): Pick<World, 'events' | 'links'> {
    return { events: this.events.get(user)!, links: this.links.get(user)! };
  }

  /** Events of a user who was erased and has no link since are none. */
  async apply(
    { user, name, value, agoS, since }: Extract<CombinedStep, { does: 'event' }>,
    endsAt: number,
  ): Promise<void> {
    const { nowS } = this.world;
    const userId = users[user];
    const link = this.links.get(userId)!.at(-1);
    if (link === undefined) return;
    const createdAt = (since === 'end' ? Math.min(nowS, endsAt) : nowS) - agoS;
    const event: HistoryEvent = {
      ...{ id: `e${this.count++}`, name, createdAt, receivedAt: nowS, attributes: attributesOf(name, value) },
      ...{ linkedAt: link.linkedAt, account: link.account, contractVersion: 1 },
    };
    this.events.get(userId)!.push(event);
    const { id, attributes, account } = event;
    const given = { id, name, createdAt, attributes, userId, platformUserId: account, receivedAt: nowS * 1000 };
    const { platform, organizerId } = this.place;
    const data = { ...userEvent({ ...given, platform }), linked_at: link.linkedAt, organizer_id: organizerId };
    await this.world.tables.apply([data]);
  }

  /** An account belongs to one user at a time. */
  async link({ user, account, agoS }: Extract<CombinedStep, { does: 'link' }>): Promise<void> {
    const userId = users[user];
    const name = account === null ? null : `account-${account}`;
    const atS = this.beginOfLink(Math.min(agoS, this.world.linkLagS));
    for (const [holder, periods] of this.links) {
      const last = periods.at(-1);
      if (last === undefined || last.unlinkedAt !== null) continue;
      if (holder !== userId && last.account !== name) continue;
      periods[periods.length - 1] = { ...last, unlinkedAt: atS };
      await this.store(holder, periods[periods.length - 1]);
    }
    if (name === null) return;
    const period = { linkedAt: atS, unlinkedAt: null, account: name };
    this.links.get(userId)!.push(period);
    await this.store(userId, period);
  }

  /** After all links and erasures before. */
  private beginOfLink(agoS: number): number {
    const periods = [...this.links.values()].flat();
    const known = [
      ...periods.flatMap(({ linkedAt, unlinkedAt }) => [linkedAt, unlinkedAt ?? 0]),
      ...this.erasedAt.values(),
    ];
    return Math.max(this.world.nowS - agoS, ...known.map((atS) => atS + 1));
  }

  private async store(userId: string, { linkedAt, unlinkedAt, account }: LinkPeriod): Promise<void> {
    const { platform, organizerId } = this.place;
    const data: LinkData = {
      ...{ link_id: `${userId}-${linkedAt}`, integration_id: 'integration-1', platform, organizer_id: organizerId },
      ...{ platform_user_id: account, user_id: userId, linked_at: linkedAt },
      ...(unlinkedAt === null ? { state: 'ready' } : { state: 'unlinked', unlinked_at: unlinkedAt }),
    };
    await this.world.tables.storeLinks({ data, revision: ++this.revision, atMs: this.world.nowS * 1000 });
  }

  /** The links of the accounts that nobody else has had since, and the erasure, which is another topic's. */
  async erase({ user, linksFirst, isBesideDue }: Extract<CombinedStep, { does: 'erase' }>): Promise<void> {
    const userId = users[user];
    const { parts, pool } = this.world.tables;
    const { platform } = this.place;
    const holders = new Map(
      [...this.links]
        .flatMap(([holder, periods]) => periods.map((period) => ({ holder, ...period })))
        .sort((a, b) => a.linkedAt - b.linkedAt)
        .map(({ holder, account }) => [account, holder]),
    );
    const accounts = [...holders].flatMap(([account, holder]) => (holder === userId ? [account] : []));
    const removed = { revision: ++this.revision, everything: false };
    const erased = accounts.map((platformUserId) => ({ platform, platformUserId, removed }));
    const digest = identityDigest(platform, userId).toString('hex');
    const works = [
      () => applyLinks(parts, { ...linksPlace, erased, links: [] }),
      () =>
        new EraseUsers(pool, parts.now).apply({
          ...{ topic: 'erasures', partition: 0, position: 'any', nextOffset: 1n },
          erasures: [{ erasure_id: digest, users: [digest], erased_at: this.world.nowS }],
        }),
    ];
    const [first, second] = linksFirst ? works : works.reverse();
    await first();
    if (isBesideDue) await this.world.round(100);
    await second();
    this.erasedAt.set(userId, this.world.nowS);
    this.events.set(userId, []);
    this.links.set(userId, []);
  }
}

function attributesOf(name: string, value: string): Record<string, string> {
  if (name === 'kyc') return { status: value };
  return name === 'payment' ? { amount: value, currency: 'USD' } : { amount: value };
}

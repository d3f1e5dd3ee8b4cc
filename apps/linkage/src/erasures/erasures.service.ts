import { randomUUID } from 'node:crypto';
import { CodedError, identityDigest, topics } from '@podium/messages';
import { Operator, mayActFor, requireRole } from '@podium/runtime/http';
import { Pool, Queryable, inTransaction, queryable } from '@podium/runtime/postgres';
import { appendAudit } from '../audit/audit.store';
import { eraseUsers, userDigest } from './erase-users';
import { Account, readHolders, readOrganizer, readPlatforms } from './erased-links.store';
import { CreateErasureDto, ErasureReply, ErasureServiceReply } from './erasure.dto';
import { Erasure, UserKey, holdLinking, nextSecond, readErasure, readUnderWay } from './erasures.store';

/** What a request names: a user at some platforms, or an account. */
type Named =
  | { readonly kind: 'user'; readonly userId: string; readonly platform: string | null }
  | { readonly kind: 'account'; readonly account: Account };

/** Erases users: links, tokens and flows at once, everything else by the topics that this writes. */
export class ErasuresService {
  constructor(
    private readonly pool: Pool,
    /** Told after a commit that there is something to watch. */
    private readonly onErased: () => void,
  ) {}

  /**
   * Erases what the request names, or answers with the erasure of the same that is under way. Throws `invalid_request`,
   * `forbidden`, `not_found` for an unknown platform, and `conflict` for an account that several users had.
   */
  async create(operator: Operator, dto: CreateErasureDto): Promise<ErasureReply> {
    const named = namedBy(dto);
    const organizerId = await this.requireRight(operator, dto.platform);
    const erasure = await inTransaction(this.pool, async (tx) => {
      await holdLinking(tx);
      const subject = subjectOf(named);
      const underWay = await readUnderWay(tx, subject);
      if (underWay) return underWay;
      const users = await usersOf(tx, named);
      const erasureId = randomUUID();
      const links = await eraseUsers(tx, {
        erasureId,
        subject,
        erasedAt: await nextSecond(tx),
        requestedBy: operator.operatorId,
        users,
        userDigests: users.map(userDigest),
        accounts: named.kind === 'account' ? [named.account] : [],
        isNew: true,
      });
      await appendAudit(tx, {
        actor: operator.operatorId,
        action: 'user.erased',
        subject: `erasure:${erasureId}`,
        organizerId,
        detail: { by: named.kind, platform: dto.platform ?? null, links },
      });
      return (await readErasure(tx, erasureId))!;
    });
    this.onErased();
    return replyOf(erasure);
  }

  /** Throws `not_found` for what is none, or is not for this operator. */
  async show(operator: Operator, erasureId: string): Promise<ErasureReply> {
    const erasure = await readErasure(queryable(this.pool), erasureId);
    const maySee = erasure?.requestedBy === operator.operatorId || mayActFor(operator, '*', 'viewer');
    if (!erasure || !maySee) throw new CodedError('not_found');
    return replyOf(erasure);
  }

  /** Returns the organizer whose operators see it in the audit; null for a user of all platforms. */
  private async requireRight(operator: Operator, platform: string | undefined): Promise<string | null> {
    if (platform === undefined) {
      requireRole(operator, '*', 'admin');
      return null;
    }
    const organizerId = await readOrganizer(queryable(this.pool), platform);
    if (organizerId === null || !mayActFor(operator, organizerId, 'viewer'))
      throw new CodedError('not_found', { message: 'platform: there is no integration of this name.' });
    requireRole(operator, organizerId, 'admin');
    return organizerId;
  }
}

function namedBy({ user_id, platform, platform_user_id }: CreateErasureDto): Named {
  if (user_id !== undefined && platform_user_id === undefined)
    return { kind: 'user', userId: user_id, platform: platform ?? null };
  if (user_id === undefined && platform !== undefined && platform_user_id !== undefined)
    return { kind: 'account', account: { platform, sub: platform_user_id } };
  throw new CodedError('invalid_request', {
    message: 'Send user_id, alone or with platform, or else platform with platform_user_id.',
  });
}

function subjectOf(named: Named): string {
  const parts: [string, ...string[]] =
    named.kind === 'user'
      ? ['user', named.userId, ...(named.platform === null ? [] : [named.platform])]
      : ['account', named.account.platform, named.account.sub];
  return identityDigest(...parts).toString('hex');
}

/** A user is erased at every platform there is: what links of other days left behind goes too. */
async function usersOf(tx: Queryable, named: Named): Promise<UserKey[]> {
  if (named.kind === 'user') {
    const platforms = named.platform === null ? await readPlatforms(tx) : [named.platform];
    return platforms.map((platform) => ({ platform, userId: named.userId }));
  }
  const holders = await readHolders(tx, named.account);
  if (holders.length > 1)
    throw new CodedError('conflict', {
      message: `This account was linked to ${holders.length} users; name the one to erase by user_id.`,
    });
  return holders;
}

function replyOf(erasure: Erasure): ErasureReply {
  return {
    erasure_id: erasure.erasureId,
    state: erasure.completedAt === null ? 'under_way' : 'complete',
    erased_at: erasure.erasedAt.toISOString(),
    completed_at: erasure.completedAt?.toISOString() ?? null,
    links: erasure.links,
    services: servicesOf(erasure),
  };
}

/** A service is done when the last of its groups is; linkage was at once. */
function servicesOf({ requestedAt, passed }: Erasure): ErasureServiceReply[] {
  const groups = [...topics.links.readyWhen, ...topics.erasures.readyWhen];
  const names = [...new Set(groups.map((group) => group.split('.')[0]))];
  return [
    { service: 'linkage', done_at: requestedAt.toISOString() },
    ...names.map((service) => {
      const times = groups.filter((group) => group.startsWith(`${service}.`)).map((group) => passed[group]);
      const isDone = times.every((time) => time !== undefined);
      return { service, done_at: isDone ? new Date(times.sort().at(-1)!).toISOString() : null };
    }),
  ];
}

import { randomUUID } from 'node:crypto';
import { CodedError, identityDigest, topics } from '@podium/messages';
import { Operator, mayActFor, requireRole } from '@podium/runtime/http';
import { Pool, Queryable, inTransaction, queryable } from '@podium/runtime/postgres';
import { appendAudit } from '../audit/audit.store';
import { UserKey, userDigest } from '../links/erased-users.queries';
import { blockLinking } from '../links/linking-lock.store';
import { eraseUsers } from './erase-users';
import { Account, readErasureTime, readHolders, readOrganizer, readPlatforms } from './erased-links.store';
import { CreateErasureDto, ErasureReply, ErasureServiceReply } from './erasure.dto';
import { Erasure, readErasure, readIncomplete } from './erasures.store';

/** The subject of a request: a user at some platforms, or an account. */
type Named =
  | { readonly kind: 'user'; readonly userId: string; readonly platform: string | null }
  | { readonly kind: 'account'; readonly account: Account };

/** Erases users: links, tokens and flows at once, everything else through the topics that this writes. */
export class ErasuresService {
  constructor(
    private readonly pool: Pool,
    /** Called after a commit, to wake the watcher. */
    private readonly onErased: () => void,
  ) {}

  /**
   * Erases the subject of the request, or returns its erasure that is not complete yet. Throws `invalid_request`,
   * `forbidden`, `not_found` for an unknown platform, and `conflict` for an account that several users had.
   */
  async create(operator: Operator, dto: CreateErasureDto): Promise<ErasureReply> {
    const named = namedBy(dto);
    const organizerId = await this.requireRight(operator, dto.platform);
    const erasure = await inTransaction(this.pool, async (tx) => {
      await blockLinking(tx);
      const subject = subjectOf(named);
      const incomplete = await readIncomplete(tx, subject);
      if (incomplete) return incomplete;
      const users = await usersOf(tx, named);
      const erasureId = randomUUID();
      const links = await eraseUsers(tx, {
        erasureId,
        subject,
        erasedAt: await readErasureTime(tx, users),
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

  /** Throws `not_found` for an unknown erasure, or one that this operator may not see. */
  async show(operator: Operator, erasureId: string): Promise<ErasureReply> {
    const erasure = await readErasure(queryable(this.pool), erasureId);
    const maySee = erasure?.requestedBy === operator.operatorId || mayActFor(operator, '*', 'viewer');
    if (!erasure || !maySee) throw new CodedError('not_found');
    return replyOf(erasure);
  }

  /** Returns the organizer whose operators see the erasure in the audit; null when it covers all platforms. */
  private async requireRight(operator: Operator, platform: string | undefined): Promise<string | null> {
    if (platform === undefined) {
      requireRole(operator, '*', 'admin');
      return null;
    }
    const organizerId = await readOrganizer(queryable(this.pool), platform);
    if (organizerId === null || !mayActFor(operator, organizerId, 'viewer'))
      throw new CodedError('not_found', { message: 'platform: there is no integration with this name.' });
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

/** A user is erased at every platform, so that data of former links is erased too. */
async function usersOf(tx: Queryable, named: Named): Promise<UserKey[]> {
  if (named.kind === 'user') {
    const platforms = named.platform === null ? await readPlatforms(tx) : [named.platform];
    return platforms.map((platform) => ({ platform, userId: named.userId }));
  }
  const holders = await readHolders(tx, named.account);
  if (holders.length > 1)
    throw new CodedError('conflict', {
      message: `This account was linked to ${holders.length} users; send the user_id of the one to erase.`,
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

/** A service is done when all its groups are; linkage is done at once. */
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

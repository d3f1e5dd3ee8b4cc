import { inTransaction } from '@podium/runtime/postgres';
import { ApplyParts } from '../apply-batch';
import { UserKey, lockUsers } from '../inbox/users.store';
import { Matter, Settlement, settle } from '../settle';
import { LinkState, deleteLinks, readHolders, upsertLinks } from './links.store';

/** A partner account. */
export interface Account {
  readonly platform: string;
  readonly platformUserId: string;
}

/** What became of one partner account: its link's newest state, or its erasure. */
export type LinkChange = { readonly account: Account; readonly link: LinkState | null };

/**
 * Takes links over into the view and looks at all segments of their users in the same transaction: an unlink leaves them,
 * a relink enters those that hold. At most one change per account; older revisions change nothing.
 */
export async function applyLinks(parts: ApplyParts, changes: readonly LinkChange[]): Promise<Settlement> {
  return inTransaction(parts.pool, async (tx) => {
    const definitions = await parts.definitions.current(tx);
    const before = await readHolders(
      tx,
      changes.map(({ account }) => account),
    );
    const after = changes.flatMap(({ link }): UserKey[] =>
      link ? [{ platform: link.data.platform, userId: link.data.user_id }] : [],
    );
    const users = await lockUsers(tx, [...before, ...after]);
    await upsertLinks(
      tx,
      changes.flatMap(({ link }) => (link ? [link] : [])),
    );
    await deleteLinks(
      tx,
      changes.flatMap(({ account, link }) => (link ? [] : [account])),
    );
    const matters = [...users.values()].flatMap((user) =>
      definitions.segmentsOf(user.platform).map((definition): Matter => ({ user, definition, reason: 'link' })),
    );
    return settle(tx, matters, parts.now());
  });
}

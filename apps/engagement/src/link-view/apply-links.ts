import { inTransaction } from '@podium/runtime/postgres';
import { ApplyParts } from '../apply-batch';
import { LinkedThing, readErased } from '../erasures/erasures.store';
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
 * a relink enters those that hold. At most one change per account; older revisions change nothing. What a
 * record says of a link from before its user's erasure, which it may come after, is passed over.
 */
export async function applyLinks(parts: ApplyParts, given: readonly LinkChange[]): Promise<Settlement> {
  parts.erasureGate?.check();
  return inTransaction(parts.pool, async (tx) => {
    const definitions = await parts.definitions.current(tx);
    const isErased = await readErased(
      tx,
      given.flatMap(({ link }) => (link ? [linkedThingOf(link)] : [])),
    );
    const changes = given.filter(({ link }) => !link || !isErased(linkedThingOf(link)));
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

function linkedThingOf({ data }: LinkState): LinkedThing {
  return { platform: data.platform, userId: data.user_id, linkedAt: data.linked_at };
}

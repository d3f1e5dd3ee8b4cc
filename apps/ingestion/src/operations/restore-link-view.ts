import { Queryable } from '@podium/runtime/postgres';
import { ErasedAccount, LinkRevision, LinksStore } from '../link-view/links.store';

export type { ErasedAccount } from '../link-view/links.store';

/** Stores links and erasures of their topic in the view, in the given transaction; older revisions change nothing. */
export async function restoreLinkView(
  tx: Queryable,
  states: { readonly erased: readonly ErasedAccount[]; readonly links: readonly LinkRevision[] },
): Promise<void> {
  const store = new LinksStore(tx);
  await store.erase(states.erased);
  await store.upsert(states.links);
}

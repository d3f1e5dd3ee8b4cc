import { linkChanged, recordKeyParts } from '@podium/messages';
import { StateRecord, newestStates } from '@podium/runtime/consumers';
import { ErasedAccount, LinkRevision } from './links.store';

/** Changes of links: accounts whose link was erased, at most once each, and states of links in any order. */
export interface LinkChanges {
  readonly erased: readonly ErasedAccount[];
  /** All states, not only the newest of each account: each may tell of a link period. */
  readonly links: readonly LinkRevision[];
}

/** The changes of links that records cause: at most one erasure per account, and all states that it leaves. */
export function linkChangesOf(records: readonly StateRecord<typeof linkChanged>[]): LinkChanges {
  const accounts = new Map(
    newestStates(records).flatMap((account) =>
      recordKeyParts(account.key)?.length === 2 ? [[account.key, account]] : [],
    ),
  );
  const erased = [...accounts.values()].flatMap(({ key, removed }): ErasedAccount[] => {
    const [platform, platformUserId] = recordKeyParts(key)!;
    return removed ? [{ platform, platformUserId, removed }] : [];
  });
  const links = records.flatMap(({ key, record }): LinkRevision[] => {
    const account = accounts.get(key);
    if (!record || !account) return [];
    const { removed, state } = account;
    // A tombstone without a revision removes what came before it; of what came after, the newest state is enough.
    const isRemoved = removed?.everything ? record !== state : record.revision <= (removed?.revision ?? -1);
    if (isRemoved) return [];
    return [{ data: record.data, revision: record.revision, atMs: record.occurred_at }];
  });
  return { erased, links };
}

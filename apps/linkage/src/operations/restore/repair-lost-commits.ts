import { ApiKeyData, IntegrationData, LinkData, topics } from '@podium/messages';
import { PublishedRecord } from '@podium/runtime/outbox';
import { Queryable } from '@podium/runtime/postgres';
import { takeIntegrations } from './restore-integrations';
import { takeActive, takeEnded } from './restore-links';
import { ToldState, takeKeys } from './restored-integrations.store';

/** What linkage restored from its topics after a failover. */
export interface RepairedLinkage {
  /** Platforms restored as paused: operators must enter their addresses, client and secret again. */
  readonly incomplete_integrations: readonly string[];
  readonly paused_or_resumed: number;
  readonly contracts: number;
  readonly keys_added: number;
  readonly keys_changed: number;
  /** Links made since the last replicated commit: their users must log in at the partner again. */
  readonly links_brought_back: number;
  readonly links_unlinked: number;
  readonly links_moved: number;
  readonly links_refused: readonly string[];
}

/**
 * Restores the states of integrations, keys and links that linkage published and Postgres lost. Tombstones are skipped:
 * linkage re-reads erasures from their own topic.
 */
export async function repairLostCommits(
  tx: Queryable,
  lost: readonly PublishedRecord[],
  by: string,
): Promise<RepairedLinkage> {
  const integrations = await takeIntegrations(tx, newest<IntegrationData>(lost, topics.integrations.name), by);
  const keys = await takeKeys(tx, newest<ApiKeyData>(lost, topics.apiKeys.name), by);
  const links = newest<LinkData>(lost, topics.links.name).map(({ data }) => data);
  // Ended links come first, because they may conflict with later ones.
  const ended = await takeEnded(tx, links, by);
  const { broughtBack, moved, refused } = await takeActive(tx, links, by);
  return {
    incomplete_integrations: integrations.incomplete,
    paused_or_resumed: integrations.paused_or_resumed,
    contracts: integrations.contracts,
    keys_added: keys.added,
    keys_changed: keys.changed,
    links_brought_back: broughtBack,
    links_unlinked: ended,
    links_moved: moved,
    links_refused: refused,
  };
}

/** The last record of each key of a topic; keys whose last record is a tombstone are left out. */
function newest<Data>(lost: readonly PublishedRecord[], topic: string): ToldState<Data>[] {
  const byKey = new Map<string, PublishedRecord>();
  for (const each of lost) if (each.topic === topic) byKey.set(each.key, each);
  return [...byKey.values()].flatMap(({ record, revision }) =>
    record ? [{ revision, atMs: record.occurred_at, data: record.data as Data }] : [],
  );
}

import { ApiKeyData, IntegrationData, LinkData, topics } from '@podium/messages';
import { PublishedRecord } from '@podium/runtime/outbox';
import { Queryable } from '@podium/runtime/postgres';
import { takeIntegrations } from './restore-integrations';
import { takeActive, takeEnded } from './restore-links';
import { ToldState, takeKeys } from './restored-integrations.store';

/** What linkage took from its topics after a failover. */
export interface RepairedLinkage {
  /** Platforms that came back paused: their addresses, client and secret must be entered again. */
  readonly incomplete_integrations: readonly string[];
  readonly paused_or_resumed: number;
  readonly contracts: number;
  readonly keys_added: number;
  readonly keys_changed: number;
  /** Links made since: their users must log in at the partner again. */
  readonly links_brought_back: number;
  readonly links_unlinked: number;
  readonly links_moved: number;
  readonly links_refused: readonly string[];
}

/**
 * Brings integrations, keys and links to what linkage has published and Postgres has lost. Tombstones are left to the
 * erasures, which linkage reads from their topic again.
 */
export async function repairLostCommits(
  tx: Queryable,
  lost: readonly PublishedRecord[],
  by: string,
): Promise<RepairedLinkage> {
  const integrations = await takeIntegrations(tx, newest<IntegrationData>(lost, topics.integrations.name), by);
  const keys = await takeKeys(tx, newest<ApiKeyData>(lost, topics.apiKeys.name), by);
  const links = newest<LinkData>(lost, topics.links.name).map(({ data }) => data);
  // What ended makes room for what was linked since.
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

/** Of each key of a topic the last record, unless that is a tombstone. */
function newest<Data>(lost: readonly PublishedRecord[], topic: string): ToldState<Data>[] {
  const byKey = new Map<string, PublishedRecord>();
  for (const each of lost) if (each.topic === topic) byKey.set(each.key, each);
  return [...byKey.values()].flatMap(({ record, revision }) =>
    record ? [{ revision, atMs: record.occurred_at, data: record.data as Data }] : [],
  );
}

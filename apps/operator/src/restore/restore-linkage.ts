import { ApiKeyData, IntegrationData, LinkData, topics } from '@podium/messages';
import { RepairedLinkage } from '../../../linkage/src/operations/restore/repair-lost-commits';
import { takeIntegrations } from '../../../linkage/src/operations/restore/restore-integrations';
import { takeActive, takeEnded } from '../../../linkage/src/operations/restore/restore-links';
import { ToldState, takeKeys } from '../../../linkage/src/operations/restore/restored-integrations.store';
import { RestoreParts } from './read-records';
import { TopicState } from './topic-states.queries';
import { withTopicStates } from './topic-states';

/** States that linkage's topics had and its database lacked. */
export interface RestoredLinkage extends RepairedLinkage {
  readonly unreadable: number;
}

/** Restores integrations, keys and links from linkage's own topics, which are now newer than its database. */
export async function restoreLinkage(parts: RestoreParts): Promise<RestoredLinkage> {
  const integrations = await restoreIntegrations(parts);
  const keys = await restoreKeys(parts);
  const links = await restoreLinks(parts);
  return {
    incomplete_integrations: integrations.incomplete,
    paused_or_resumed: integrations.paused_or_resumed,
    contracts: integrations.contracts,
    keys_added: keys.added,
    keys_changed: keys.changed,
    ...links,
    unreadable: integrations.unreadable + keys.unreadable + links.unreadable,
  };
}

function restoreIntegrations(parts: RestoreParts) {
  return withTopicStates(parts, topics.integrations, async (tx, { unreadable, forEachPage }) => {
    const told: ToldState<IntegrationData>[] = [];
    await forEachPage(async (page) => void told.push(...page.filter(isState)));
    return { unreadable, ...(await takeIntegrations(tx, told, parts.by)) };
  });
}

function restoreKeys(parts: RestoreParts) {
  return withTopicStates(parts, topics.apiKeys, async (tx, { unreadable, forEachPage }) => {
    const total = { added: 0, changed: 0, unreadable };
    await forEachPage(async (page) => {
      const { added, changed } = await takeKeys(tx, page.filter(isState<ApiKeyData>), parts.by);
      total.added += added;
      total.changed += changed;
    });
    return total;
  });
}

function restoreLinks(parts: RestoreParts) {
  return withTopicStates(parts, topics.links, async (tx, { unreadable, forEachPage }) => {
    const total = {
      links_brought_back: 0,
      links_unlinked: 0,
      links_moved: 0,
      links_refused: [] as string[],
      unreadable,
    };
    // Ended links first, for all accounts: they would block newer ones.
    await forEachPage(async (page) => {
      total.links_unlinked += await takeEnded(tx, dataOf(page), parts.by);
    });
    await forEachPage(async (page) => {
      const { broughtBack, moved, refused } = await takeActive(tx, dataOf(page), parts.by);
      total.links_brought_back += broughtBack;
      total.links_moved += moved;
      total.links_refused.push(...refused);
    });
    return total;
  });
}

function isState<Data>(state: TopicState<Data>): state is TopicState<Data> & ToldState<Data> {
  return state.data !== null;
}

function dataOf(states: readonly TopicState<LinkData>[]): LinkData[] {
  return states.filter(isState).map(({ data }) => data);
}

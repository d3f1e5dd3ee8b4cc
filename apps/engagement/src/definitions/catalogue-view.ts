import { integrationChanged, topics } from '@podium/messages';
import { CompactedTopicView, Kafka } from '@podium/runtime/kafka';
import { Logger } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Catalogue } from './catalogue';

/** The view that updates the catalogue of this process; the service is ready once it has caught up. */
export function createCatalogueView(
  catalogue: Catalogue,
  parts: { kafka: Kafka; instance: string; logger: Logger; registry: Registry; onFatal: (error: Error) => void },
): CompactedTopicView<typeof integrationChanged> {
  return new CompactedTopicView({
    ...parts,
    row: topics.integrations,
    viewGroup: 'engagement.catalogue-view',
    apply: (key, record) => catalogue.apply(key, record),
    onUnreadable: (key) => catalogue.markUnreadable(key),
  });
}

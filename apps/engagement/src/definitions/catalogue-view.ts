import { integrationChanged, topics } from '@podium/messages';
import { CompactedTopicView, Kafka } from '@podium/runtime/kafka';
import { Logger } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Catalogue } from './catalogue';

/** The view that keeps this process' catalogue; the service is ready once it is caught up. */
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

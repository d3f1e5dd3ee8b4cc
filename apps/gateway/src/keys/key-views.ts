import { apiKeyChanged, integrationChanged, topics } from '@podium/messages';
import { CompactedTopicView, Kafka } from '@podium/runtime/kafka';
import { Logger } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { DataKeys } from './data-keys';
import { EventKeys } from './event-keys';

/** Keeps `EventKeys` and `DataKeys` up to date: keys from linkage's topic of API keys, pauses and rates from that of integrations. */
export class KeyViews {
  private readonly keys: CompactedTopicView<typeof apiKeyChanged>;
  private readonly integrations: CompactedTopicView<typeof integrationChanged>;

  constructor(
    { eventKeys, dataKeys }: { eventKeys: EventKeys; dataKeys: DataKeys },
    options: {
      kafka: Kafka;
      instance: string;
      logger: Logger;
      registry: Registry;
      onFatal: (error: Error) => void;
      /** Other topic rows with the same events, for tests that must not share topics. */
      rows?: { apiKeys: typeof topics.apiKeys; integrations: typeof topics.integrations };
    },
  ) {
    const { rows = topics, ...common } = options;
    this.keys = new CompactedTopicView({
      ...common,
      row: rows.apiKeys,
      viewGroup: 'gateway.key-view',
      apply: (key, record) => {
        eventKeys.setKey(key, record?.data ?? null);
        dataKeys.setKey(key, record?.data ?? null);
      },
      // The kind of the key is unknown, so it is unreadable as both.
      onUnreadable: (key) => {
        eventKeys.setKeyUnreadable(key);
        dataKeys.setKeyUnreadable(key);
      },
    });
    this.integrations = new CompactedTopicView({
      ...common,
      row: rows.integrations,
      viewGroup: 'gateway.integration-view',
      apply: (key, record) => eventKeys.setIntegration(key, record?.data ?? null),
      onUnreadable: (key) => eventKeys.setIntegrationUnreadable(key),
    });
  }

  /** Resolves when both views have the records that were in their topics at the start. */
  async start(): Promise<void> {
    await Promise.all([this.keys.start(), this.integrations.start()]);
  }

  async stop(): Promise<void> {
    await Promise.all([this.keys.stop(), this.integrations.stop()]);
  }

  /** Whether both views have the records of the start and an age; an empty topic has no age before its first fetch. */
  isCaughtUp(): boolean {
    return this.keys.isCaughtUp() && this.integrations.isCaughtUp() && Number.isFinite(this.ageMs());
  }

  /** Milliseconds since Kafka last confirmed the older of the two views. */
  ageMs(): number {
    return Math.max(this.keys.ageMs(), this.integrations.ageMs());
  }

  /** Milliseconds since Kafka last confirmed the keys alone; data keys depend on nothing else. */
  keysAgeMs(): number {
    return this.keys.ageMs();
  }
}

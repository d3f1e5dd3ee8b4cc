import { Controller, INestMicroservice, Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  ConsumerGroup,
  LinkData,
  TopicRow,
  UserEventData,
  encodeRecord,
  linkChanged,
  recordKey,
  topics,
  userEventAccepted,
  userEventRecordId,
} from '@podium/messages';
import {
  BatchHandler,
  BatchKafkaServer,
  BatchKafkaServerOptions,
  type Outcome,
  type RecordBatch,
  RecordPlace,
  RecordProducer,
  createKafka,
  deadLetterTopic,
  ensureTopics,
  redriveTopic,
} from '@podium/runtime/kafka';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { freshName, localStack } from '@podium/testing';
import { ApplyParts } from '../src/applying/apply-parts';
import { EngagementMetrics } from '../src/metrics/engagement-metrics';
import { UserEventsConsumer } from '../src/applying/user-events.consumer';
import { LinksConsumer } from '../src/link-view/links.consumer';

const sendTimeoutMs = 10_000;

/** Engagement's consumers on topics and groups that no other spec has. */
export class OwnTopics {
  readonly logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
  readonly brokers = [...localStack().kafkaBrokers];
  readonly kafka = createKafka({ brokers: this.brokers, clientId: 'spec', logger: this.logger });
  readonly producer = new RecordProducer(this.kafka, { logger: this.logger, registry: new Registry(), topics: [] });
  readonly eventsGroup = freshName('events') as ConsumerGroup;
  readonly linksGroup = freshName('links') as ConsumerGroup;
  readonly events: TopicRow<typeof userEventAccepted>;
  readonly links: TopicRow<typeof linkChanged>;
  /** The consumers of the two topics. */
  readonly eventsConsumer: Type;
  readonly linksConsumer: Type;

  constructor(partitions: { readonly events: number; readonly links: number }) {
    this.events = {
      ...topics.userEvents,
      name: freshName('events'),
      partitions: partitions.events,
      consumers: [this.eventsGroup],
    };
    this.links = {
      ...topics.links,
      name: freshName('links'),
      partitions: partitions.links,
      consumers: [this.linksGroup],
    };
    this.eventsConsumer = eventsConsumerOf(this.events, this.eventsGroup);
    this.linksConsumer = linksConsumerOf(this.links, this.linksGroup);
  }

  /** The rows of the topics table that stand for these topics. */
  get rows(): TopicRow[] {
    return [this.events, this.links] as TopicRow[];
  }

  /** Makes the topics. */
  async create(): Promise<void> {
    await ensureTopics(this.kafka, this.rows, { replicationFactor: 1, minInsyncReplicas: 1 });
    await this.producer.start();
  }

  /** Removes the topics and groups; who consumes them has ended. */
  async remove(): Promise<void> {
    await this.producer.stop();
    const admin = this.kafka.admin();
    await admin.connect();
    const pairs = this.rows.flatMap((row) => row.consumers.map((group) => ({ row, group })));
    await admin.deleteTopics({
      topics: pairs.flatMap(({ row, group }) => [
        row.name,
        deadLetterTopic(group, row).name,
        redriveTopic(group, row).name,
      ]),
    });
    await admin.deleteGroups(pairs.map(({ group }) => group)).catch(() => undefined);
    await admin.disconnect();
  }

  /** Starts a consumer as an instance of the service does. */
  async serve(
    parts: ApplyParts,
    consumer: Type,
    options: Pick<BatchKafkaServerOptions, 'positions' | 'retry' | 'maxBatchRecords' | 'maxWaitMs'>,
  ): Promise<{ app: INestMicroservice; server: BatchKafkaServer }> {
    const registry = new Registry();
    const module = await Test.createTestingModule({
      controllers: [consumer],
      providers: [
        { provide: ApplyParts, useValue: parts },
        { provide: EngagementMetrics, useValue: new EngagementMetrics(registry) },
      ],
    }).compile();
    const group = consumer === this.eventsConsumer ? this.eventsGroup : this.linksGroup;
    const { kafka, producer, logger } = this;
    const server = new BatchKafkaServer({ kafka, producer, group, logger, registry, ...options });
    const app = module.createNestMicroservice({ strategy: server });
    await app.listen();
    return { app, server };
  }

  /** Produces an accepted event. */
  sendEvent(data: UserEventData): Promise<RecordPlace> {
    const key = recordKey(data.platform, data.platform_user_id);
    const id = userEventRecordId(data.platform, data.event.id);
    const value = encodeRecord(userEventAccepted, { id, revision: 0, occurred_at: 1, key, source: 'spec', data });
    return this.producer.send({ topic: this.events, key, value }, { deadlineMs: Date.now() + sendTimeoutMs });
  }

  /** Produces a state of a link at `acme`. */
  async sendLink(
    link: Pick<LinkData, 'platform_user_id' | 'user_id' | 'state' | 'linked_at'>,
    revision: number,
  ): Promise<void> {
    const key = recordKey('acme', link.platform_user_id);
    const data: LinkData = {
      link_id: `link-of-${link.user_id}`,
      integration_id: 'integration-1',
      platform: 'acme',
      organizer_id: 'organizer-1',
      ...link,
    };
    const envelope = { id: `r${revision}`, revision, occurred_at: 1, key, source: 'spec' };
    const value = encodeRecord(linkChanged, { ...envelope, data });
    await this.producer.send({ topic: this.links, key, value }, { deadlineMs: Date.now() + sendTimeoutMs });
  }
}

/** Waits for a condition, asked again and again. */
export async function until(condition: () => Promise<boolean>, what: string, timeoutMs = 60_000): Promise<void> {
  for (const endMs = Date.now() + timeoutMs; !(await condition()); await new Promise((wait) => setTimeout(wait, 25)))
    if (Date.now() > endMs) throw new Error(`waited in vain until ${what}`);
}

function eventsConsumerOf(row: TopicRow<typeof userEventAccepted>, group: ConsumerGroup): Type {
  @Controller()
  class OwnEvents extends UserEventsConsumer {
    constructor(parts: ApplyParts, metrics: EngagementMetrics) {
      super(parts, metrics);
    }

    @BatchHandler(row, group)
    override handle(batch: RecordBatch<typeof userEventAccepted>): Promise<Outcome[]> {
      return super.handle(batch);
    }
  }
  return OwnEvents;
}

function linksConsumerOf(row: TopicRow<typeof linkChanged>, group: ConsumerGroup): Type {
  @Controller()
  class OwnLinks extends LinksConsumer {
    constructor(parts: ApplyParts, metrics: EngagementMetrics) {
      super(parts, metrics);
    }

    @BatchHandler(row, group)
    override handle(batch: RecordBatch<typeof linkChanged>): Promise<Outcome[]> {
      return super.handle(batch);
    }
  }
  return OwnLinks;
}

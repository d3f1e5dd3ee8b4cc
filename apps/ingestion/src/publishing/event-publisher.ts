import { encodeRecord, recordKey, topics, userEventAccepted } from '@podium/messages';
import {
  DeadlineExceededError,
  OutgoingRecord,
  PartitionUnavailableError,
  ProducerOverloadedError,
  RecordProducer,
  RecordRefusedError,
  RecordTooLargeError,
} from '@podium/runtime/kafka';
import { traceHeaders } from '@podium/runtime/trace';
import { EventWarning } from '../event/event-warning';
import { AdmissionOutcome, outcomeUnknown, refused, unavailable } from '../event/outcome';
import { EventIdentity } from '../dedup/event-identity';
import { ContractCheck } from '../contract-view/contract-check';
import { PartnerEvent } from '../event/partner-event';
import { ActiveLink } from '../link-view/link-view';

/** An event that passed all checks, with their results. */
export interface AdmittedEvent {
  readonly event: PartnerEvent;
  readonly identity: EventIdentity;
  readonly check: Extract<ContractCheck, { ok: true }>;
  readonly link: ActiveLink;
  readonly integrationId: string;
  /** Unix ms at the gateway. */
  readonly receivedAtMs: number;
  readonly traceparent: string;
}

/**
 * How long an event waits, ms, for a partition that has failed for a while. All events of a batch are answered together, and
 * nearly every batch has one for each partition.
 */
const asideMs = 100;

/** Errors of the producer for a record that is not in its topic and never will be. */
const notProduced = [DeadlineExceededError, RecordRefusedError, RecordTooLargeError];

/** Writes admitted events to their topic. */
export class EventPublisher {
  constructor(
    private readonly producer: Pick<RecordProducer, 'sendAll'>,
    private readonly topic: typeof topics.userEvents = topics.userEvents,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Resolves with an outcome for each event, in their order: `accepted` if Kafka has it with all acknowledgements, otherwise the
   * refusal; never rejects. An event that was sent and not acknowledged by the deadline (Unix ms) may be in the topic: 503, and
   * the retry has the same id. So has that of an event whose partition fails, which is not held until the deadline.
   */
  async publish(admitted: readonly AdmittedEvent[], deadlineMs: number): Promise<AdmissionOutcome[]> {
    const outcomes = admitted.map(() => outcomeUnknown);
    const records: OutgoingRecord[] = [];
    const places: number[] = [];
    for (let place = 0; place < admitted.length; place++) {
      const record = this.recordOf(admitted[place]);
      if (record === undefined) continue;
      records.push(record);
      places.push(place);
    }
    const results = await this.producer.sendAll(records, { deadlineMs, asideMs });
    for (let at = 0; at < results.length; at++) {
      const result = results[at];
      outcomes[places[at]] = result instanceof Error ? refusalOf(result) : acceptedOf(admitted[places[at]]);
    }
    return outcomes;
  }

  /** Undefined when the event violates the schema of its record: a defect of this service, which must fail no other event. */
  private recordOf(admitted: AdmittedEvent): OutgoingRecord | undefined {
    const { event, traceparent } = admitted;
    const key = recordKey(event.platform, event.platformUserId);
    try {
      return { topic: this.topic, key, value: this.encode(admitted, key), headers: traceHeaders(traceparent) };
    } catch {
      return undefined;
    }
  }

  private encode(admitted: AdmittedEvent, key: string): Buffer {
    const { event, identity, check, link, traceparent } = admitted;
    return encodeRecord(userEventAccepted, {
      id: identity.recordId,
      revision: 0,
      occurred_at: this.now(),
      key,
      source: 'ingestion',
      traceparent: traceparent === '' ? undefined : traceparent,
      data: {
        platform: event.platform,
        platform_user_id: event.platformUserId,
        event: { id: event.id, name: event.name, created_at: event.createdAt, attributes: [...check.kept] },
        user_id: link.userId,
        link_id: link.linkId,
        linked_at: link.linkedAtS,
        integration_id: admitted.integrationId,
        organizer_id: link.organizerId,
        kind: check.kind,
        contract_version: check.version,
        dropped_attributes: [...check.dropped],
        received_at: admitted.receivedAtMs,
      },
    });
  }
}

function acceptedOf({ check: { dropped, values } }: AdmittedEvent): AdmissionOutcome {
  const { notParsed } = values;
  return {
    kind: 'accepted',
    dropped,
    warnings: notParsed.length === 0 ? none : notParsed.map(({ warning }) => warning),
  };
}

const none: readonly EventWarning[] = [];

function refusalOf(error: Error): AdmissionOutcome {
  if (error instanceof ProducerOverloadedError) return refused('overloaded');
  // It is not in the topic. But the gateway would ask another instance, which would wait for the same partition.
  if (error instanceof PartitionUnavailableError) return outcomeUnknown;
  return notProduced.some((type) => error instanceof type) ? unavailable : outcomeUnknown;
}

import { isSampled, traceparentHeader } from './traceparent';

/**
 * Carries traces through Kafka: a record whose cause has a sampled trace has the header `traceparent`. Other records have
 * none, because headers cost bytes and time for each record.
 */
export function traceHeaders(traceparent: string | null | undefined): { traceparent: string } | undefined {
  return isSampled(traceparent) ? { [traceparentHeader]: traceparent } : undefined;
}

/** The trace context from a record's headers; `DeliveryTrace` continues it, or links to it where others write the topic. */
export function traceparentOfHeaders(headers: Readonly<Record<string, string>>): string | undefined {
  return headers[traceparentHeader];
}

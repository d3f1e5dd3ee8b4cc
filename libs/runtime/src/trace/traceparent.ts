import { SpanContext, TraceFlags } from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';

/** The header of requests and records that carries a trace context (W3C Trace Context, section 3.2). */
export const traceparentHeader = 'traceparent';

/** Length of a traceparent of version 00; the last two characters are its flags. */
const traceparentLength = 55;

/** Whether a trace context is sampled; looks at its flags alone, because it is asked for every record. */
export function isSampled(traceparent: string | null | undefined): traceparent is string {
  if (traceparent?.length !== traceparentLength) return false;
  return (Number.parseInt(traceparent[traceparentLength - 1], 16) & TraceFlags.SAMPLED) === TraceFlags.SAMPLED;
}

/** A span's context as it travels. */
export function formatTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-0${(traceFlags & TraceFlags.SAMPLED).toString(16)}`;
}

/** A context that came from elsewhere; null for what is none. */
export function parseTraceparent(traceparent: string): SpanContext | null {
  const context = parseTraceParent(traceparent);
  return context && { ...context, isRemote: true };
}

/** Record headers that carry a sampled context; none for others, because headers cost bytes and time for each record. */
export function traceHeaders(traceparent: string | null | undefined): { traceparent: string } | undefined {
  return isSampled(traceparent) ? { [traceparentHeader]: traceparent } : undefined;
}

import { SpanContext, TraceFlags } from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';

/** The header of requests and records that carries a trace context (W3C Trace Context, section 3.2). */
export const traceparentHeader = 'traceparent';

/** Length of a traceparent of version 00; the last two characters are its flags. */
const traceparentLength = 55;

/** Whether a trace context is sampled; checks its flags alone, because it is called for every record. */
export function isSampled(traceparent: string | null | undefined): traceparent is string {
  if (traceparent?.length !== traceparentLength) return false;
  return (Number.parseInt(traceparent[traceparentLength - 1], 16) & TraceFlags.SAMPLED) === TraceFlags.SAMPLED;
}

/** Encodes a span's context. */
export function formatTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-0${(traceFlags & TraceFlags.SAMPLED).toString(16)}`;
}

/** Decodes a received context; null for an invalid one. */
export function parseTraceparent(traceparent: string): SpanContext | null {
  const context = parseTraceParent(traceparent);
  return context && { ...context, isRemote: true };
}

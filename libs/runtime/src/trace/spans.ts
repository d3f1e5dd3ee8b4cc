import { Attributes, ROOT_CONTEXT, Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { formatTraceparent, isSampled, parseTraceparent } from './traceparent';
import { tracer } from './tracing';

export { SpanKind } from '@opentelemetry/api';
export type { Span } from '@opentelemetry/api';

/** What a span says beside its name; never a body, a secret or a user's data. */
export interface SpanOptions {
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  /** Traceparents of spans in other traces that belong to this one. */
  readonly links?: readonly string[];
}

/** A span below a context that came by a request, a record or a row; undefined when that is not sampled, or nothing is. */
export function childSpan(
  name: string,
  traceparent: string | null | undefined,
  options: SpanOptions = {},
): Span | undefined {
  const parent = isSampled(traceparent) && tracer() ? parseTraceparent(traceparent) : null;
  if (!parent) return undefined;
  return start(name, options, trace.setSpanContext(ROOT_CONTEXT, parent));
}

/**
 * The span of a batch: a trace of its own with a link to each member that is sampled; undefined when none is. Members belong
 * to many traces, and a span can be in only one.
 */
export function batchSpan(
  name: string,
  members: readonly { readonly traceparent?: string | null }[],
  options: Omit<SpanOptions, 'links'> = {},
): Span | undefined {
  if (!tracer()) return undefined;
  const links = members.flatMap(({ traceparent }) => (isSampled(traceparent) ? [traceparent] : []));
  return links.length === 0 ? undefined : start(name, { ...options, links }, ROOT_CONTEXT);
}

/** A span's context as it travels by requests, records and rows. */
export function traceparentOfSpan(span: Span): string {
  return formatTraceparent(span.spanContext());
}

/** The context of the span under which this code runs, for services that keep it (`keepActiveSpans`). */
export function activeTraceparent(): string | undefined {
  const span = tracer() && trace.getActiveSpan();
  return span && traceparentOfSpan(span);
}

/** Ends a span as failed. */
export function failSpan(span: Span, reason: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message: reason.slice(0, 300) });
  span.end();
}

/** Fields of a log line by which it is found from its trace; none when the trace is not sampled, as it leads nowhere. */
export function traceFields(span: Span | undefined): { trace_id?: string; span_id?: string } {
  if (!span?.isRecording()) return {};
  const { traceId, spanId } = span.spanContext();
  return { trace_id: traceId, span_id: spanId };
}

/** The same of the span under which this code runs. */
export function activeTraceFields(): { trace_id?: string; span_id?: string } {
  return traceFields(trace.getActiveSpan());
}

function start(name: string, { links = [], ...options }: SpanOptions, parent: typeof ROOT_CONTEXT): Span | undefined {
  const linked = links.flatMap((link) => parseTraceparent(link) ?? []).map((context) => ({ context }));
  return tracer()?.startSpan(name, { ...options, links: linked }, parent);
}

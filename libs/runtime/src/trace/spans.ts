import { Attributes, ROOT_CONTEXT, Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { formatTraceparent, isSampled, parseTraceparent } from './traceparent';
import { isInRatio, tracer } from './tracing';

export { SpanKind } from '@opentelemetry/api';
export type { Span } from '@opentelemetry/api';

/** The attributes of a span; never a body, a secret or a user's data. */
export interface SpanOptions {
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  /** Traceparents of spans in other traces, as links. */
  readonly links?: readonly string[];
}

/** A child span of a context from a request, a record or a row; undefined when that is not sampled or tracing is off. */
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
 * A span for a cause outside of Podium, such as the record of another team: it begins its own trace with a link to the cause,
 * whose trace would mix with Podium's. Undefined when the cause is not sampled here (`isSampledHere`) or tracing is off.
 */
export function linkedSpan(
  name: string,
  traceparent: string | null | undefined,
  { links = [], ...options }: SpanOptions = {},
): Span | undefined {
  if (!tracer() || !isSampledHere(traceparent)) return undefined;
  return start(name, { ...options, links: [traceparent, ...links] }, ROOT_CONTEXT);
}

/** Whether a context from outside is sampled, and by Podium's ratio too: others must not decide how much Podium traces. */
export function isSampledHere(traceparent: string | null | undefined): traceparent is string {
  const context = isSampled(traceparent) ? parseTraceparent(traceparent) : null;
  return context !== null && isInRatio(context.traceId);
}

/**
 * The span of a batch: a separate trace with a link to each sampled member; undefined when there is none. Members belong to
 * many traces, and a span can be in only one.
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

/** A span's context as carried by requests, records and rows. */
export function traceparentOfSpan(span: Span): string {
  return formatTraceparent(span.spanContext());
}

/** The context of the active span, for services that keep it (`keepActiveSpans`). */
export function activeTraceparent(): string | undefined {
  const span = tracer() && trace.getActiveSpan();
  return span && traceparentOfSpan(span);
}

/** Ends a span as failed. */
export function failSpan(span: Span, reason: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message: reason.slice(0, 300) });
  span.end();
}

/** Log fields that lead from a trace to its lines; none when the trace is not sampled. */
export function traceFields(span: Span | undefined): { trace_id?: string; span_id?: string } {
  if (!span?.isRecording()) return {};
  const { traceId, spanId } = span.spanContext();
  return { trace_id: traceId, span_id: spanId };
}

/** The log fields of the active span. */
export function activeTraceFields(): { trace_id?: string; span_id?: string } {
  return traceFields(trace.getActiveSpan());
}

function start(name: string, { links = [], ...options }: SpanOptions, parent: typeof ROOT_CONTEXT): Span | undefined {
  const linked = links.flatMap((link) => parseTraceparent(link) ?? []).map((context) => ({ context }));
  return tracer()?.startSpan(name, { ...options, links: linked }, parent);
}

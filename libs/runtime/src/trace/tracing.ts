import { Context, DiagLogLevel, Link, ROOT_CONTEXT, SpanKind, Tracer, context, diag, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  Sampler,
  SamplingDecision,
  SamplingResult,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import { ATTR_SERVICE_NAME } from '@opentelemetry/semantic-conventions';
import { Logger } from 'pino';
import { errorMessage } from '../errors';

/** Destination and sampling of spans. */
export interface TracingOptions {
  /** Base address of an OTLP receiver over HTTP; `/v1/traces` is added. Empty: no tracing. */
  readonly endpoint: string;
  /** Share of new traces that are sampled, 0 to 1; a trace that came from another service keeps its own decision. */
  readonly ratio: number;
  readonly service: string;
  readonly instance: string;
  readonly environment: string;
  readonly logger: Logger;
}

/** The running tracing of a service, to be stopped at its end. */
export interface Tracing {
  /** Sends buffered spans, for at most `flushMs`, and ends tracing; never rejects. */
  stop(): Promise<void>;
}

/** Bounds of the span buffer: spans above them are dropped, so that an unavailable collector only costs some memory. */
const maxQueuedSpans = 4096;
const maxBatchSpans = 256;
/** At the stop all batches of a full queue are sent at once; before that, one at a time. */
const maxSends = maxQueuedSpans / maxBatchSpans + 2;
const sendEveryMs = 1_000;
const sendMs = 5_000;
const flushMs = 2_000;
/** As many as a consumer's batch has records. */
const maxLinks = 500;
const reportIntervalMs = 60_000;

let current: Tracer | undefined;
let ratioSampler = new TraceIdRatioBasedSampler(0);

/** The process's tracer; undefined while tracing is off, so that callers skip all work. */
export function tracer(): Tracer | undefined {
  return current;
}

/**
 * Whether the ratio of this process has a trace id. It depends on nothing else, so ids of traces that Podium sampled by the
 * same ratio are in it when they come back from outside.
 */
export function isInRatio(traceId: string): boolean {
  return ratioSampler.shouldSample(ROOT_CONTEXT, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED;
}

/** Starts tracing for this process; undefined when it is off. */
export function startTracing(options: TracingOptions): Tracing | undefined {
  if (options.endpoint === '') return undefined;
  const reportFailure = failureReporter(options.logger);
  ratioSampler = new TraceIdRatioBasedSampler(options.ratio);
  diag.setLogger(
    { error: reportFailure, warn: reportFailure, info: ignore, debug: ignore, verbose: ignore },
    DiagLogLevel.WARN,
  );
  setGlobalErrorHandler((error) => reportFailure(errorMessage(error)));
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      [ATTR_SERVICE_NAME]: options.service,
      'service.namespace': 'podium',
      'service.instance.id': options.instance,
      'deployment.environment.name': options.environment,
    }),
    sampler: new ParentBasedSampler({ root: new RootSampler(ratioSampler) }),
    spanLimits: { linkCountLimit: maxLinks },
    spanProcessors: [
      new BatchSpanProcessor(
        new OTLPTraceExporter({
          url: `${options.endpoint}/v1/traces`,
          timeoutMillis: sendMs,
          concurrencyLimit: maxSends,
        }),
        {
          maxQueueSize: maxQueuedSpans,
          maxExportBatchSize: maxBatchSpans,
          scheduledDelayMillis: sendEveryMs,
          exportTimeoutMillis: sendMs,
        },
      ),
    ],
  });
  trace.setGlobalTracerProvider(provider);
  current = provider.getTracer('podium');
  return {
    stop: async () => {
      if (!current) return;
      current = undefined;
      await within(flushMs, provider.shutdown()).catch((error: unknown) => reportFailure(String(error)));
      for (const api of [trace, context, diag]) api.disable();
    },
  };
}

/**
 * Makes active spans propagate through all asynchronous work that follows. On Node 20 this costs a hook on every promise of
 * the process, so that only services whose requests create records in many places enable it.
 */
export function keepActiveSpans(): void {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
}

/**
 * Samples new traces by the ratio. Spans with links are always sampled: a batch's exists only for sampled members, and that of
 * a foreign cause only if its trace is in the ratio.
 */
class RootSampler implements Sampler {
  private readonly always = new AlwaysOnSampler();

  constructor(private readonly ratio: TraceIdRatioBasedSampler) {}

  shouldSample(parent: Context, traceId: string, _name: string, _kind: SpanKind, _attributes: object, links: Link[]) {
    const result: SamplingResult =
      links.length > 0 ? this.always.shouldSample() : this.ratio.shouldSample(parent, traceId);
    return result;
  }

  toString(): string {
    return `RootSampler{${this.ratio.toString()}}`;
  }
}

/** Logs at most once a minute that spans are lost, with the number of failures since. */
function failureReporter(logger: Logger): (cause: string) => void {
  let reportedAt = -Infinity;
  let failures = 0;
  return (cause) => {
    failures += 1;
    if (performance.now() - reportedAt < reportIntervalMs) return;
    logger.warn({ cause: cause.slice(0, 300), failures }, 'traces do not reach their collector; they are dropped');
    reportedAt = performance.now();
    failures = 0;
  };
}

async function within(timeoutMs: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`not sent within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

function ignore(): void {}

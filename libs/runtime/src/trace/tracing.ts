import { Context, DiagLogLevel, Link, SpanKind, Tracer, context, diag, trace } from '@opentelemetry/api';
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
  SamplingResult,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import { ATTR_SERVICE_NAME } from '@opentelemetry/semantic-conventions';
import { Logger } from 'pino';
import { errorMessage } from '../errors';

/** Where spans go and which. */
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

/** What a service that traces has to stop. */
export interface Tracing {
  /** Sends what has gathered, for at most `flushMs`, and ends tracing; never rejects. */
  stop(): Promise<void>;
}

/** Bounds: what they are exceeded by is lost, so that a dead collector costs some memory and nothing else. */
const maxQueuedSpans = 4096;
const maxBatchSpans = 256;
/** At the stop all batches of a full queue go at once; before it one at a time. */
const maxSends = maxQueuedSpans / maxBatchSpans + 2;
const sendEveryMs = 1_000;
const sendMs = 5_000;
const flushMs = 2_000;
/** As many as a consumer's batch has records. */
const maxLinks = 500;
const troubleEveryMs = 60_000;

let current: Tracer | undefined;

/** The process's tracer; undefined while tracing is off, so that whoever asks does nothing at all. */
export function tracer(): Tracer | undefined {
  return current;
}

/** Starts tracing for this process; undefined when it is off. */
export function startTracing(options: TracingOptions): Tracing | undefined {
  if (options.endpoint === '') return undefined;
  const tell = troubleTeller(options.logger);
  diag.setLogger({ error: tell, warn: tell, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN);
  setGlobalErrorHandler((error) => tell(errorMessage(error)));
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      [ATTR_SERVICE_NAME]: options.service,
      'service.namespace': 'podium',
      'service.instance.id': options.instance,
      'deployment.environment.name': options.environment,
    }),
    sampler: new ParentBasedSampler({ root: new RootSampler(options.ratio) }),
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
      await within(flushMs, provider.shutdown()).catch((error: unknown) => tell(String(error)));
      for (const api of [trace, context, diag]) api.disable();
    },
  };
}

/**
 * From here on a span that is made the active one stays it through everything asynchronous that follows. On Node 20 this
 * costs a hook on every promise of the process, so that only services ask for it whose requests cause records in many places.
 */
export function keepActiveSpans(): void {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
}

/** Decides about new traces: a batch is begun only for members that are sampled, and is worth as much as they are. */
class RootSampler implements Sampler {
  private readonly always = new AlwaysOnSampler();
  private readonly ratio: TraceIdRatioBasedSampler;

  constructor(ratio: number) {
    this.ratio = new TraceIdRatioBasedSampler(ratio);
  }

  shouldSample(parent: Context, traceId: string, _name: string, _kind: SpanKind, _attributes: object, links: Link[]) {
    const result: SamplingResult =
      links.length > 0 ? this.always.shouldSample() : this.ratio.shouldSample(parent, traceId);
    return result;
  }

  toString(): string {
    return `RootSampler{${this.ratio.toString()}}`;
  }
}

/** Says once a minute that spans are lost, and how often since. */
function troubleTeller(logger: Logger): (cause: string) => void {
  let toldAt = -Infinity;
  let failures = 0;
  return (cause) => {
    failures += 1;
    if (performance.now() - toldAt < troubleEveryMs) return;
    logger.warn({ cause: cause.slice(0, 300), failures }, 'traces do not reach their collector; they are dropped');
    toldAt = performance.now();
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

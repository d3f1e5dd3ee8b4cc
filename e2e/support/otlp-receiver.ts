import { Server, createServer } from 'node:http';
import { AddressInfo } from 'node:net';

/** A received span. */
export interface ReceivedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Undefined for the first span of a trace. */
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly hasFailed: boolean;
}

/** A trace collector (OTLP 1.x over HTTP, JSON) that refuses malformed exports. */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** Malformed requests. */
  readonly refused: string[] = [];
  /** Accepts requests and never responds. */
  hangs = false;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** Listens on a free port of loopback. */
  static async start(): Promise<OtlpReceiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const receiver = new OtlpReceiver(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (receiver.hangs) return;
        const isExport = request.method === 'POST' && request.url === '/v1/traces';
        const status = isExport ? receiver.take(request.headers['content-type'], Buffer.concat(chunks)) : 404;
        response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
      });
    });
    return receiver;
  }

  /** All received spans of a trace. */
  trace(traceId: string): ReceivedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  /** Waits until a span satisfies the predicate. */
  async find(what: string, predicate: (span: ReceivedSpan) => boolean, timeoutMs = 20_000): Promise<ReceivedSpan> {
    const end = Date.now() + timeoutMs;
    for (;;) {
      const found = this.spans.find(predicate);
      if (found) return found;
      if (Date.now() > end)
        throw new Error(`no ${what} among ${this.spans.length} spans in ${timeoutMs} ms: ${this.describe()}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private describe(): string {
    return [...new Set(this.spans.map(({ service, name }) => `${service}: ${name}`))].join(', ');
  }

  private take(contentType: string | undefined, body: Buffer): number {
    try {
      if (contentType !== 'application/json') throw new Error(`content type ${contentType}`);
      this.spans.push(...spansOf(JSON.parse(body.toString('utf8')) as Export));
      return 200;
    } catch (error) {
      this.refused.push(String(error));
      return 400;
    }
  }
}

interface AnyValue {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
}

interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}

/** The fields of opentelemetry-proto's ExportTraceServiceRequest that the receiver reads. */
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly name: string;
        readonly kind: number;
        readonly startTimeUnixNano: string;
        readonly endTimeUnixNano: string;
        readonly attributes?: readonly KeyValue[];
        readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
        readonly status?: { readonly code?: number };
      }[];
    }[];
  }[];
}

const kinds = ['internal', 'server', 'client', 'producer', 'consumer'] as const;
const failed = 2;

function spansOf({ resourceSpans }: Export): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(attributesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) =>
      spans.map((span): ReceivedSpan => {
        if (!/^[0-9a-f]{32}$/.test(span.traceId) || !/^[0-9a-f]{16}$/.test(span.spanId))
          throw new Error(`malformed ids in ${JSON.stringify(span)}`);
        if (BigInt(span.endTimeUnixNano) < BigInt(span.startTimeUnixNano))
          throw new Error('a span ends before it starts');
        return {
          service,
          traceId: span.traceId,
          spanId: span.spanId,
          parentSpanId: span.parentSpanId || undefined,
          name: span.name,
          kind: kinds[span.kind - 1],
          attributes: attributesOf(span.attributes ?? []),
          links: (span.links ?? []).map(({ traceId, spanId }) => ({ traceId, spanId })),
          hasFailed: span.status?.code === failed,
        };
      }),
    );
  });
}

function attributesOf(list: readonly KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(
    list.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? value.doubleValue ?? value.boolValue]),
  );
}

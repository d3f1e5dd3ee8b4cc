import { Server, createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { batchSpan, childSpan, isSampledHere, linkedSpan, traceFields, traceparentOfSpan } from './spans';
import { traceHeaders } from './kafka-trace-headers';
import { isSampled, parseTraceparent } from './traceparent';
import { Tracing, startTracing, tracer } from './tracing';

const sampled = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const unsampled = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00';
const malformed = ['', 'x', '00-0-0-01', `${sampled}0`, sampled.replace('0af7', 'zzzz'), sampled.slice(0, -1)];

describe('a traceparent', () => {
  it('is sampled by the last bit of its flags', () => {
    expect(isSampled(sampled)).toBe(true);
    expect(isSampled(sampled.replace(/01$/, '03'))).toBe(true);
    for (const other of [unsampled, undefined, null, '', 'x']) expect(isSampled(other)).toBe(false);
  });

  it("is added to a record's headers only when it is sampled", () => {
    expect(traceHeaders(sampled)).toEqual({ traceparent: sampled });
    expect(traceHeaders(unsampled)).toBeUndefined();
  });

  it.each(malformed)('is null for %j', (text) => {
    expect(parseTraceparent(text)).toBeNull();
  });
});

describe('while tracing is off', () => {
  it('there are no spans, whatever was sampled elsewhere', () => {
    expect(startTracing(options({ endpoint: '' }))).toBeUndefined();
    expect(tracer()).toBeUndefined();
    expect([childSpan('a', sampled), batchSpan('b', [{ traceparent: sampled }])]).toEqual([undefined, undefined]);
  });
});

describe('while tracing is on', () => {
  let server: Server;
  let tracing: Tracing;
  let answers: boolean;
  let received: { name: string; links?: unknown[] }[];
  let lines: { msg: string; failures: number }[];

  beforeEach(async () => {
    answers = true;
    received = [];
    lines = [];
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString()) as {
          resourceSpans: { scopeSpans: { spans: typeof received }[] }[];
        };
        received.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)));
        if (answers) response.end('{}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterEach(async () => {
    await tracing.stop();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const start = (ratio: number): void => {
    const { port } = server.address() as AddressInfo;
    const write = (line: string): void => void lines.push(JSON.parse(line) as (typeof lines)[0]);
    const logger = pino({ level: 'warn' }, { write });
    tracing = startTracing({ ...options({ endpoint: `http://127.0.0.1:${port}` }), ratio, logger })!;
  };

  it('a new trace is sampled by the ratio, and a child by its parent alone', async () => {
    start(0);
    const root = tracer()!.startSpan('root');
    expect([root.isRecording(), traceFields(root)]).toEqual([false, {}]);
    expect(isSampled(traceparentOfSpan(root))).toBe(false);
    expect(childSpan('child', unsampled)).toBeUndefined();
    expect(batchSpan('batch', [{ traceparent: unsampled }, {}])).toBeUndefined();
    const child = childSpan('child', sampled)!;
    expect(traceFields(child)).toMatchObject({ trace_id: '0af7651916cd43dd8448eb211c80319c' });
    const batch = batchSpan('batch', [{ traceparent: unsampled }, { traceparent: sampled }])!;
    expect(batch.spanContext().traceId).not.toBe(child.spanContext().traceId);
    for (const span of [root, child, batch]) span.end();
    await tracing.stop();
    expect(received.map(({ name, links = [] }) => [name, links.length])).toEqual([
      ['child', 0],
      ['batch', 1],
    ]);
  });

  it('a foreign cause has a span of its own, linked, if the ratio has its trace, as it has all that were sampled by it', async () => {
    start(0.5);
    const roots = Array.from({ length: 100 }, () => tracer()!.startSpan('root'));
    for (const root of roots) {
      const forced = `${traceparentOfSpan(root).slice(0, -2)}01`;
      expect(isSampledHere(forced)).toBe(root.isRecording());
      const span = linkedSpan('foreign', forced);
      expect(span?.isRecording() ?? false).toBe(root.isRecording());
      expect(span?.spanContext().traceId).not.toBe(root.spanContext().traceId);
      span?.end();
    }
    expect(linkedSpan('foreign', unsampled)).toBeUndefined();
    await tracing.stop();
    const sampledRoots = roots.filter((root) => root.isRecording());
    expect(sampledRoots.length).toBeGreaterThan(0);
    expect(received.map(({ name, links }) => [name, links])).toEqual(
      sampledRoots.map((root) => {
        const { traceId, spanId } = root.spanContext();
        return ['foreign', [expect.objectContaining({ traceId, spanId })]];
      }),
    );
  });

  it('all buffered spans are sent at the stop', async () => {
    start(1);
    for (let count = 0; count < 2_000; count++) tracer()!.startSpan('last').end();
    await tracing.stop();
    expect(received).toHaveLength(2_000);
  });

  it('a hanging collector delays nothing: spans above the bound are dropped, and the stop is bounded', async () => {
    start(1);
    answers = false;
    for (let count = 0; count < 20_000; count++) tracer()!.startSpan('lost').end();
    const startMs = performance.now();
    await tracing.stop();
    expect(performance.now() - startMs).toBeLessThan(4_000);
    expect(tracer()).toBeUndefined();
    expect(lines).toEqual([expect.objectContaining({ msg: expect.stringContaining('do not reach') as string })]);
  });

  it('an unavailable collector is logged once, not at every attempt', async () => {
    start(1);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    for (let count = 0; count < 2_000; count++) tracer()!.startSpan('lost').end();
    await tracing.stop();
    expect(lines).toHaveLength(1);
  });
});

function options({ endpoint }: { endpoint: string }): Parameters<typeof startTracing>[0] {
  return {
    endpoint,
    ratio: 1,
    service: 'spec',
    instance: 'spec-1',
    environment: 'test',
    logger: pino({ level: 'silent' }),
  };
}

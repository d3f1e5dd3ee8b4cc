import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { until } from '../../../tools/seed/api';
import { AppName } from '../../../tools/stack/services';
import { DemoStack, StackDescription } from '../../support/demo-stack';
import { OtlpReceiver, ReceivedSpan } from '../../support/otlp-receiver';
import { PartnerApi, nowS } from '../../support/partner-api';
import { SeenRecord, TopicReader } from '../../support/topic-reader';

/** The trace id of the partner's own tracing; it must not influence Podium's trace. */
const callersTrace = '0af7651916cd43dd8448eb211c80319c';

/** Stops services of the demo at the end, so nothing else may follow. The demo exports all traces to the receiver. */
export function describeTrace(demoOf: () => DemoStack, receiverOf: () => OtlpReceiver): void {
  describe('a trace', () => {
    let receiver: OtlpReceiver;
    let demo: DemoStack;
    let stack: StackDescription;
    let partner: PartnerApi;
    let reader: TopicReader;

    beforeAll(async () => {
      receiver = receiverOf();
      demo = demoOf();
      stack = demo.description;
      partner = new PartnerApi(stack.gateway_url, stack.event_api_key, stack.platform);
      reader = await TopicReader.start(stack.kafka_brokers, ['ingestion.user-events.v1', 'engagement.bonus-awards.v1']);
    });

    afterAll(() => reader?.stop());

    describe("of a partner's event", () => {
      const requestId = `trace-${randomUUID()}`;
      const eventId = randomUUID();
      let request: ReceivedSpan;
      let spans: ReceivedSpan[];
      let accepted: SeenRecord;
      let award: SeenRecord;

      beforeAll(async () => {
        const answer = await partner.post(
          JSON.stringify({
            platform: stack.platform,
            platform_user_id: stack.linked_user.platform_user_id,
            event: {
              id: eventId,
              name: stack.demo_task.send.name,
              created_at: nowS(),
              attributes: stack.demo_task.send.attributes,
            },
          }),
          { 'x-request-id': requestId, traceparent: `00-${callersTrace}-b7ad6b7169203331-01` },
        );
        expect(answer.status).toBe(200);
        accepted = await reader.find(({ value }) => (value.data.event as { id?: string } | undefined)?.id === eventId);
        request = await receiver.find(
          'request',
          ({ service, attributes }) => service === 'gateway' && attributes['podium.request_id'] === requestId,
        );
        const { traceId } = request;
        award = await reader.find(
          ({ headers }) => headers.traceparent?.slice(3, 35) === traceId && headers !== accepted.headers,
        );
        await receiver.find('published award', (span) => span.traceId === traceId && isAwardPublished(span));
        await until('the whole trace', 20_000, async () => (receiver.trace(traceId).length >= 6 ? true : undefined));
        spans = receiver.trace(traceId);
      });

      it("starts at the gateway with a link to the caller's trace, and continues to the ledger and the published award", () => {
        expect(request).toMatchObject({
          name: 'POST /cdp/v1/users/events/send',
          kind: 'server',
          parentSpanId: undefined,
        });
        expect(request.traceId).not.toBe(callersTrace);
        expect(request.links).toEqual([{ traceId: callersTrace, spanId: 'b7ad6b7169203331' }]);
        expect(request.attributes).toMatchObject({
          'http.route': '/cdp/v1/users/events/send',
          'http.response.status_code': 200,
          'podium.platform': stack.platform,
          'podium.outcome': 'accepted',
        });
        const way = [request];
        for (let next = childOf(request); next; next = childOf(next)) way.push(next);
        expect(way.map(({ service, name, kind }) => [service, name, kind])).toEqual([
          ['gateway', 'POST /cdp/v1/users/events/send', 'server'],
          ['ingestion', 'admit event', 'producer'],
          ['engagement', 'ingestion.user-events.v1 process', 'consumer'],
          ['engagement', 'enter award', 'internal'],
          ['engagement', 'engagement.bonus-awards.v1 publish', 'producer'],
        ]);
        expect(way[3].attributes).toMatchObject({
          'podium.award.id': award.value.data.award_id,
          'podium.task.id': stack.demo_task.task_id,
        });
      });

      it('has no span whose parent is missing, and none that failed', () => {
        const ids = new Set(spans.map(({ spanId }) => spanId));
        expect(spans.filter(({ parentSpanId }) => parentSpanId !== undefined && !ids.has(parentSpanId))).toEqual([]);
        expect(spans.filter(({ hasFailed }) => hasFailed)).toEqual([]);
        expect(receiver.refused).toEqual([]);
      });

      it('is propagated in the headers of the records', () => {
        const spanOf = (name: string): ReceivedSpan => spans.find((span) => span.name === name)!;
        expect(accepted.headers.traceparent).toBe(`00-${request.traceId}-${spanOf('admit event').spanId}-01`);
        expect(award.headers.traceparent).toBe(
          `00-${request.traceId}-${spanOf('engagement.bonus-awards.v1 publish').spanId}-01`,
        );
      });

      it('is linked with the batches that contained the event', async () => {
        const isLinked = (span: ReceivedSpan): boolean => span.links.some(({ traceId }) => traceId === request.traceId);
        const sent = await receiver.find('batch', (span) => span.service === 'gateway' && isLinked(span));
        expect(sent).toMatchObject({ name: 'POST /internal/v1/events', kind: 'client' });
        const taken = await receiver.find('batch in ingestion', ({ parentSpanId }) => parentSpanId === sent.spanId);
        expect(taken).toMatchObject({ service: 'ingestion', name: 'POST /internal/v1/events', kind: 'server' });
        const admitted = spans.find(({ name }) => name === 'admit event')!;
        expect(admitted.links).toEqual([{ traceId: taken.traceId, spanId: taken.spanId }]);
        const processed = await receiver.find('batch', (span) => span.service === 'engagement' && isLinked(span));
        expect(processed.name).toBe('ingestion.user-events.v1 process batch');
      });

      it('appears in the log lines of all three services, with the request id', async () => {
        const lines = async (app: AppName): Promise<Record<string, unknown>[]> =>
          until(`a line of ${app}`, 10_000, async () => {
            const found = logOf(app).filter(({ trace_id }) => trace_id === request.traceId);
            return found.length > 0 ? found : undefined;
          });
        const [answered] = await lines('gateway');
        expect(answered).toMatchObject({ request_id: requestId, outcome: 'accepted', span_id: request.spanId });
        const [admitted] = await lines('ingestion');
        expect(admitted).toMatchObject({ request_id: requestId, platform: stack.platform, status: 200 });
        const [processed] = await lines('engagement');
        expect(processed).toMatchObject({
          topic: 'ingestion.user-events.v1',
          offset: accepted.offset,
          outcome: 'done',
        });
      });

      it('contains no user data, body or secret', () => {
        const exported = JSON.stringify(receiver.spans);
        const { user_id, platform_user_id } = stack.linked_user;
        for (const secret of [user_id, platform_user_id, eventId, stack.event_api_key, stack.operator_token])
          expect(exported).not.toContain(secret);
      });

      function childOf(parent: ReceivedSpan): ReceivedSpan | undefined {
        const isAside = (name: string): boolean => /memberships|task-progress/.test(name);
        return spans.find(({ parentSpanId, name }) => parentSpanId === parent.spanId && !isAside(name));
      }
    });

    it("of an operator's change continues in the service behind the gateway and in the record from its outbox", async () => {
      const answer = await fetch(`${stack.gateway_url}/admin/v1/keys`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${stack.operator_token}`,
          'content-type': 'application/json',
          'x-request-id': 'create-key',
        },
        body: JSON.stringify({ name: 'traced', scopes: [{ scope: 'data:read' }] }),
      });
      expect(answer.status).toBe(201);
      const isOf =
        (service: string) =>
        (span: ReceivedSpan): boolean =>
          span.service === service && span.attributes['podium.request_id'] === 'create-key';
      const edge = await receiver.find('request at the gateway', isOf('gateway'));
      const inside = await receiver.find('request in linkage', isOf('linkage'));
      expect(edge).toMatchObject({ name: 'POST /admin/v1/keys', kind: 'server' });
      expect(inside).toMatchObject({ name: 'POST /admin/v1/keys', traceId: edge.traceId, parentSpanId: edge.spanId });
      const published = await receiver.find('published key', ({ parentSpanId }) => parentSpanId === inside.spanId);
      expect(published).toMatchObject({ name: 'linkage.api-keys.v1 publish', kind: 'producer', traceId: edge.traceId });
    });

    it('of a read continues in the data service, which exports it before it exits', async () => {
      const answer = await fetch(`${stack.gateway_url}/data/v4/games?limit=1`, {
        headers: { authorization: `Bearer ${stack.data_api_key}`, 'x-request-id': 'the-last-read' },
      });
      expect(answer.status).toBe(200);
      expect(await demo.stack.services.first('competition-read').kill('SIGTERM')).toBe(0);
      const isRead = ({ attributes }: ReceivedSpan): boolean => attributes['podium.request_id'] === 'the-last-read';
      const edge = await receiver.find('read at the gateway', (span) => span.service === 'gateway' && isRead(span));
      const inside = await receiver.find('read', (span) => span.service === 'competition-read' && isRead(span));
      expect(inside).toMatchObject({ name: 'GET /data/v4/games', traceId: edge.traceId, parentSpanId: edge.spanId });
    });

    it('is lost when its collector hangs, without other effects: events are accepted and awarded, services stop in time', async () => {
      const awards = (): number => reader.records.filter(({ value }) => value.data.award_id !== undefined).length;
      const before = awards();
      receiver.hangs = true;
      const eventId = randomUUID();
      const { platform_user_id } = stack.linked_user;
      const { name, attributes } = stack.demo_task.send;
      const answer = await partner.send(platform_user_id, { id: eventId, name, created_at: nowS(), attributes });
      expect([answer.status, answer.body.outcome]).toEqual([200, 'accepted']);
      await until('an award', 15_000, async () => awards() > before || undefined);
      for (const app of ['gateway', 'ingestion', 'engagement'] as const)
        expect([app, await demo.stack.services.first(app).kill('SIGTERM')]).toEqual([app, 0]);
      const stopped = await until('the last line of the gateway', 10_000, async () =>
        logOf('gateway').find(({ msg }) => msg === 'stopped'),
      );
      expect(stopped).toMatchObject({ clean: true });
    });

    function logOf(app: AppName): Record<string, unknown>[] {
      return readFileSync(demo.stack.services.first(app).logPath, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    }
  });
}

function isAwardPublished({ name }: ReceivedSpan): boolean {
  return name === 'engagement.bonus-awards.v1 publish';
}

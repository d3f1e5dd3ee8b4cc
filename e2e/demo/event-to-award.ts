import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { changeDefinitionOf, competitionKey, encodeRecord, recordKey, topics } from '@podium/messages';
import { answerOutcomes, confirmationOf } from '../support/award-answers';
import { codecsInTopic } from '../support/codecs-in-topic';
import { DemoStack, StackDescription } from '../support/demo-stack';
import { JavaClient, codecs } from '../support/java-client';
import { PartnerApi, nowS } from '../support/partner-api';
import { SeenRecord, TopicReader } from '../support/topic-reader';

/** Tests from the event of a partner to the award, on a demo stack without previous events. */
export function describeEventToAward(demoOf: () => DemoStack): void {
  describe('a partner event becomes an award', () => {
    let stack: StackDescription;
    let partner: PartnerApi;
    let reader: TopicReader;
    let java: JavaClient;

    beforeAll(async () => {
      const demo = demoOf();
      stack = demo.description;
      partner = new PartnerApi(stack.gateway_url, stack.event_api_key, stack.platform);
      reader = await TopicReader.start(stack.kafka_brokers, [
        'ingestion.user-events.v1',
        'engagement.bonus-awards.v1',
        'engagement.segment-memberships.v1',
      ]);
      java = await JavaClient.start(demo.stack.infrastructure.folders, stack.kafka_brokers, [topics.awards.name]);
    });

    afterAll(async () => {
      await reader?.stop();
      await java?.kill();
    });

    const event = (
      id = randomUUID(),
    ): { id: string; name: string; created_at: number } & {
      attributes: { name: string; value: string }[];
    } => ({ id, name: stack.demo_task.send.name, created_at: nowS(), attributes: stack.demo_task.send.attributes });

    it('is accepted, is in the topic with the admission decision, and is awarded with its organizer', async () => {
      const sent = event();
      const answer = await partner.send(stack.linked_user.platform_user_id, sent);
      expect([answer.status, answer.body]).toEqual([
        200,
        { outcome: 'accepted', event_id: sent.id, dropped_attributes: [] },
      ]);
      expect(answer.headers.get('ratelimit-limit')).toBe('40, 40;w=1');
      const accepted = await reader.find(
        ({ value }) =>
          value.type === 'ingestion.user-event.accepted' && (value.data.event as { id: string }).id === sent.id,
      );
      expect(accepted.key).toBe(`${stack.platform}:${stack.linked_user.platform_user_id}`);
      expect(accepted.value.data).toMatchObject({
        user_id: stack.linked_user.user_id,
        organizer_id: stack.organizer_id,
        integration_id: stack.integration_id,
        kind: 'repeatable',
        event: sent,
      });
      const award = await reader.find(
        ({ value }) => value.type === 'engagement.bonus-award.issued' && value.data.task_id === stack.demo_task.task_id,
      );
      expect(award.value.data).toMatchObject({
        platform: stack.platform,
        organizer_id: stack.organizer_id,
        user_id: stack.linked_user.user_id,
        reward: { type: 'bonus_money', amount: '5.00', currency: 'EUR' },
        seq: 1,
      });
    });

    it('adds the user to the segment, which a bet ends, and both are published', async () => {
      const isMembership = ({ value }: SeenRecord): boolean => value.type === 'engagement.segment-membership.changed';
      const expected = (member: boolean): object => ({
        segment_id: stack.demo_segment.segment_id,
        user_id: stack.linked_user.user_id,
        organizer_id: stack.organizer_id,
        member,
      });
      const entered = await reader.find(isMembership);
      expect(entered.value.data).toMatchObject(expected(true));
      await partner.send(stack.linked_user.platform_user_id, { ...event(), ...stack.demo_segment.leave });
      const left = await reader.find((record) => isMembership(record) && record.value.data.member === false);
      expect(left.value.data).toMatchObject(expected(false));
    });

    it('is a duplicate when sent again, even with other content, and gives no further award', async () => {
      const sent = event();
      const awards = (): number =>
        reader.records.filter(({ value }) => value.type === 'engagement.bonus-award.issued').length;
      await partner.send(stack.linked_user.platform_user_id, sent);
      const before = await settled(awards);
      for (const again of [sent, { ...sent, attributes: [] }, sent]) {
        const answer = await partner.send(stack.linked_user.platform_user_id, again);
        expect([answer.status, answer.body.outcome]).toEqual([200, 'duplicate']);
      }
      expect(await settled(awards)).toBe(before);
    });

    it('is accepted without its unknown attributes, which the response names', async () => {
      const sent = event();
      sent.attributes = [...sent.attributes, { name: 'unheard_of', value: 'x' }];
      const answer = await partner.send(stack.linked_user.platform_user_id, sent);
      expect(answer.body).toEqual({ outcome: 'accepted', event_id: sent.id, dropped_attributes: ['unheard_of'] });
      const accepted = await reader.find(
        ({ value }) => (value.data.event as { id: string } | undefined)?.id === sent.id,
      );
      expect(accepted.value.data.event).toMatchObject({ attributes: stack.demo_task.send.attributes });
    });

    it('can be answered by a Java client in every codec of Kafka, and every answer is applied once', async () => {
      for (let sent = 0; sent < 2 * codecs.length; sent++)
        expect(await partner.send(stack.linked_user.platform_user_id, event())).toMatchObject({ status: 200 });
      const count = await settled(
        () => reader.records.filter(({ value }) => value.type === 'engagement.bonus-award.issued').length,
      );
      expect(count).toBeGreaterThanOrEqual(2 * codecs.length);
      const awards = await java.hasRead(topics.awards.name, count);
      // Each answer is sent twice, the second time with another codec.
      for (const shift of [0, 1])
        for (const [index, { key, value }] of awards.entries()) {
          const codec = codecs[(index + shift) % codecs.length];
          java.send(codec, { topic: topics.awardResults.name, key, value: confirmationOf(value) });
        }
      const outcomes = (): Promise<Record<string, number>> => answerOutcomes(stack.services.engagement.health_url);
      await until(async () => (await outcomes()).repeated === count);
      expect(await outcomes()).toEqual({ applied: count, repeated: count, contradicting: 0, unknown: 0 });
      expect(codecsIn(topics.awardResults.name)).toEqual([0, 1, 2, 3, 4]);
      const ledgers = await listedAwards();
      expect(ledgers).toHaveLength(count);
      for (const { entries } of ledgers)
        expect(entries).toMatchObject([
          { seq: 1, kind: 'issued' },
          { seq: 2, kind: 'confirmed', answers_seq: 1 },
        ]);
    });

    it('competition data from the same client is applied in every codec', async () => {
      const { hub } = stack.competition;
      for (const [index, codec] of codecs.entries())
        java.send(codec, { topic: topics.competitionChanges.name, ...roleOf(hub.id, codec, 1000 + index) });
      const shown = async (): Promise<string[]> => {
        const answer = await fetch(`${stack.gateway_url}/data/v4/hubs/${hub.id}/roles`, {
          headers: { authorization: `Bearer ${stack.data_api_key}` },
        });
        const { items } = (await answer.json()) as { items: { name: string }[] };
        return items.map(({ name }) => name);
      };
      await until(async () => (await shown()).filter((name) => name.startsWith('by-')).length === codecs.length);
      expect((await shown()).slice(-codecs.length)).toEqual(codecs.map((codec) => `by-${codec}`));
      expect(codecsIn(topics.competitionChanges.name)).toEqual([0, 1, 2, 3, 4]);
      await java.finish();
    });

    it('is refused with the documented code when invalid, and does not reach the topic', async () => {
      const valid = { platform_user_id: stack.linked_user.platform_user_id, platform: stack.platform, event: event() };
      const withEvent = (change: object): string => JSON.stringify({ ...valid, event: { ...valid.event, ...change } });
      const json = JSON.stringify(valid);
      const rows: [string, string, Record<string, string>, number, string][] = [
        ['no key', json, { authorization: '' }, 401, 'unauthorized'],
        ['wrong checksum', json, { authorization: `Bearer ${stack.event_api_key.slice(0, -1)}` }, 401, 'unauthorized'],
        ['content type', json, { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
        ['too large', `"${'x'.repeat(70_000)}"`, {}, 413, 'payload_too_large'],
        ['not JSON', '{', {}, 400, 'invalid_request'],
        ['not an object', '[]', {}, 400, 'invalid_request'],
        ['duplicate keys', json.replace('{', '{"platform":"x",'), {}, 400, 'invalid_request'],
        ['unpaired surrogate', withEvent({ id: 'x' }).replace('"x"', '"\\ud800"'), {}, 400, 'invalid_request'],
        ['no event', JSON.stringify({ ...valid, event: undefined }), {}, 400, 'invalid_request'],
        ['empty id', withEvent({ id: '  ' }), {}, 400, 'invalid_request'],
        ['milliseconds', withEvent({ created_at: Date.now() }), {}, 400, 'invalid_request'],
        ['float', withEvent({ created_at: 1.5 }), {}, 400, 'invalid_request'],
        ['attribute value', withEvent({ attributes: [{ name: 'amount', value: 1 }] }), {}, 400, 'invalid_request'],
        ['platform', JSON.stringify({ ...valid, platform: 'other' }), {}, 403, 'platform_mismatch'],
        ['event name', withEvent({ name: 'Deposit' }), {}, 422, 'event_not_negotiated'],
        [
          'attribute repeated',
          withEvent({ attributes: [1, 2].map(() => ({ name: 'amount', value: '1' })) }),
          {},
          400,
          'invalid_request',
        ],
        ['user', JSON.stringify({ ...valid, platform_user_id: 'nobody' }), {}, 404, 'user_not_linked'],
      ];
      for (const [name, body, headers, status, code] of rows) {
        const answer = await partner.post(body, headers);
        expect({ name, status: answer.status, code: answer.body.error?.code }).toEqual({ name, status, code });
        expect(answer.body.error?.message).not.toMatch(/at .*\.ts|select |stack/i);
      }
      const isOf =
        (id: string) =>
        ({ value }: SeenRecord): boolean =>
          (value.data.event as { id?: string } | undefined)?.id === id;
      const next = event();
      await partner.send(stack.linked_user.platform_user_id, next);
      // Almost all of them have its key: a record of theirs would have been read before it.
      await reader.find(isOf(next.id));
      expect(reader.records.filter(isOf(valid.event.id))).toEqual([]);
      const missing = await fetch(`${stack.gateway_url}/nothing`);
      expect([missing.status, await missing.json()]).toMatchObject([404, { error: { code: 'not_found' } }]);
      const method = await fetch(`${stack.gateway_url}/cdp/v1/users/events/send`);
      expect([method.status, method.headers.get('allow')]).toEqual([405, 'POST']);
    });

    /** The codec numbers of a topic's batches on the broker's disk. */
    function codecsIn(topic: string): number[] {
      return [...codecsInTopic(demoOf().stack.infrastructure.folders, topic).keys()].sort();
    }

    async function listedAwards(): Promise<{ entries: unknown[] }[]> {
      const answer = await fetch(`${stack.gateway_url}/admin/v1/awards?limit=100`, {
        headers: { authorization: `Bearer ${stack.operator_token}` },
      });
      return ((await answer.json()) as { items: { entries: unknown[] }[] }).items;
    }
  });
}

/** The record of a new role of a hub. */
function roleOf(hubId: string, codec: string, ranking: number): { key: string; value: string } {
  const roleId = randomUUID();
  const id = recordKey(hubId, roleId);
  const key = competitionKey('hub-role', id);
  const document = { role_id: roleId, name: `by-${codec}`, color: '#0af', ranking, visible_on_chat: true };
  const envelope = { id: `${key}:1`, revision: 1, occurred_at: Date.now(), key, source: 'competition' };
  const data = { id, document, beside: { hub_id: hubId } };
  return { key, value: encodeRecord(changeDefinitionOf('hub-role'), { ...envelope, data }).toString() };
}

async function until(condition: () => Promise<boolean>, timeoutMs = 60_000): Promise<void> {
  for (const endMs = Date.now() + timeoutMs; !(await condition()); await sleep(100))
    if (Date.now() > endMs) throw new Error('the condition did not hold in time');
}

/** Waits until a count has not changed for a second, and returns it. */
async function settled(count: () => number): Promise<number> {
  for (let last = -1; ;) {
    if (count() === last) return last;
    last = count();
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

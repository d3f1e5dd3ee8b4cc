import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { Notice, PodiumClient } from '../../sdk/typescript/src';
import { runPartnerProgram } from '../../sdk/typescript/src/command-line/partner-program';
import { until } from '../../tools/seed/api';
import { DemoStack, StackDescription } from '../support/demo-stack';
import { PartnerApi, nowS } from '../support/partner-api';

/** Tests of the SDK for partners against a real gateway. */
export function describePartnerSdk(demoOf: () => DemoStack): void {
  describe('the SDK for partners', () => {
    const name = 'sdk';
    let stack: StackDescription;
    let folder: string;
    let notices: Notice[];

    beforeAll(() => {
      stack = demoOf().description;
      folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sdk-'));
    });
    afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
    beforeEach(() => (notices = []));

    const open = (): Promise<PodiumClient> =>
      PodiumClient.open({
        url: stack.gateway_url,
        apiKey: () => stack.event_api_key,
        platform: stack.platform,
        queue: { folder },
        onNotice: (notice) => notices.push(notice),
      });
    const idsOf = (type: Notice['type']): string[] =>
      notices.flatMap((notice) => (notice.type === type && 'eventId' in notice ? [notice.eventId] : [])).sort();

    it('gets the events of its queue accepted once, past one of an unknown user and one that is refused', async () => {
      const client = await open();
      const { name: eventName, attributes } = stack.demo_task.send;
      const event = (id: string, platformUserId: string, createdAt: number) => ({
        ...{ id: `${name}-${id}`, platformUserId, name: eventName, createdAt },
        attributes: Object.fromEntries(attributes.map((each) => [each.name, each.value])),
      });
      const linked = stack.linked_user.platform_user_id;
      const ids = Array.from({ length: 60 }, (_, index) => `${index}`);
      await Promise.all([
        client.enqueue(event('stranger', 'nobody-of-the-sdk', nowS())),
        client.enqueue(event('future', linked, nowS() + 86_400)),
        ...ids.map((id) => client.enqueue(event(id, linked, nowS()))),
      ]);
      await until('all events having an answer', 30_000, async () =>
        idsOf('accepted').length === ids.length && idsOf('set_aside').length === 1 && idsOf('dead_letter').length === 1
          ? true
          : undefined,
      );
      expect(idsOf('set_aside')).toEqual([`${name}-stranger`]);
      expect(idsOf('dead_letter')).toEqual([`${name}-future`]);
      expect(notices.filter((notice) => notice.type === 'accepted' && notice.outcome !== 'accepted')).toEqual([]);
      await client.close();
      const partner = new PartnerApi(stack.gateway_url, stack.event_api_key, stack.platform);
      const again = await partner.send(linked, { id: `${name}-0`, name: eventName, created_at: nowS() });
      expect(again.body).toMatchObject({ outcome: 'duplicate' });
    });

    it('finds nothing wrong with the gateway by podium-partner doctor, and names a wrong key', async () => {
      const doctor = async (
        key: string,
      ): Promise<{ code: number; ok: boolean; findings: { check: string; result: string }[] }> => {
        let out = '';
        const code = await runPartnerProgram(['doctor', '--json', '--url', stack.gateway_url], {
          ...{ isInteractive: false, ask: async () => '', readStdin: async () => '' },
          env: { PODIUM_EVENT_KEY: key },
          out: (text) => (out += text),
          err: () => undefined,
        });
        return { code, ...(JSON.parse(out) as { ok: boolean; findings: { check: string; result: string }[] }) };
      };
      const well = await doctor(stack.event_api_key);
      expect(well).toMatchObject({ code: 0, ok: true });
      const checks = ['address', 'network', 'key', 'sending', 'clock', 'rate', 'contract'];
      expect(well.findings.filter(({ result }) => result === 'ok').map(({ check }) => check)).toEqual(
        expect.arrayContaining(checks),
      );
      const wrong = await doctor('wrong');
      expect(wrong).toMatchObject({ code: 1, ok: false });
      expect(wrong.findings).toContainEqual(
        expect.objectContaining({ check: 'key', result: 'problem', message: expect.stringContaining('unauthorized') }),
      );
    });

    it('rejects a wrong key, and says that nothing is sent until somebody changes it', async () => {
      const client = await PodiumClient.open({
        ...{ url: stack.gateway_url, apiKey: 'wrong', platform: stack.platform },
      });
      const sent = client.send({ id: 'x', platformUserId: 'y', name: 'z', createdAt: nowS() });
      await expect(sent).rejects.toMatchObject({ status: 401, retry: 'pause' });
      await client.close();
    });
  });
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { DemoStack, StackDescription } from '../support/demo-stack';
import { PartnerApi, nowS } from '../support/partner-api';

const sdk = path.resolve(__dirname, '../../sdk/python');

/** A line that the process prints: an event that `enqueue` confirmed, or a notice. */
interface Line {
  readonly type: string;
  readonly event_id?: string;
  readonly outcome?: string;
}

/** Tests of the SDK for Python against a real gateway, with a process that is killed before it has sent everything. */
export function describePartnerSdkPython(demoOf: () => DemoStack): void {
  describe('the SDK for Python', () => {
    let stack: StackDescription;
    let folder: string;

    beforeAll(() => {
      stack = demoOf().description;
      folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sdk-python-'));
    });
    afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

    /** Runs a partner's process over the folder; ends it with SIGKILL as soon as a condition on its lines holds. */
    async function linesOf(ids: readonly string[], isEnough?: (lines: readonly Line[]) => boolean): Promise<Line[]> {
      const { name, attributes } = stack.demo_task.send;
      const world = {
        ...{ url: stack.gateway_url, platform: stack.platform, folder, ids, name, created_at: nowS() },
        linked: stack.linked_user.platform_user_id,
        attributes: Object.fromEntries(attributes.map((each) => [each.name, each.value])),
      };
      const child = spawn('python3', ['-B', '-m', 'test.support.demo_partner', JSON.stringify(world)], {
        cwd: sdk,
        env: { ...process.env, PYTHONPATH: path.join(sdk, 'src'), PODIUM_EVENT_KEY: stack.event_api_key },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const exited = once(child, 'exit');
      const lines: Line[] = [];
      let text = '';
      for await (const chunk of child.stdout) {
        text += String(chunk);
        const complete = text.split('\n');
        text = complete.pop() ?? '';
        lines.push(...complete.map((line) => JSON.parse(line) as Line));
        if (isEnough?.(lines)) child.kill('SIGKILL');
      }
      const [code] = (await exited) as [number | null];
      expect(code).toBe(isEnough ? null : 0);
      return lines;
    }

    it('gets every confirmed event accepted once, also those of a process that was killed', async () => {
      const ids = Array.from({ length: 120 }, (_, index) => `sdk-python-${index}`);
      const before = await linesOf(ids, (lines) => lines.filter(({ type }) => type === 'enqueued').length >= 100);
      const confirmed = before.flatMap((line) => (line.type === 'enqueued' && line.event_id ? [line.event_id] : []));
      const sentBefore = before.filter(({ type }) => type === 'accepted').length;
      expect(confirmed.length).toBeGreaterThanOrEqual(100);
      expect(sentBefore).toBeLessThan(confirmed.length);
      const after = await linesOf(['sdk-python-stranger', 'sdk-python-future']);
      const answered = [...before, ...after].filter(({ type }) => type === 'accepted');
      // The process may be killed after it has read an answer and before it has printed it: Podium knows what it accepted.
      const partner = new PartnerApi(stack.gateway_url, stack.event_api_key, stack.platform);
      expect(await partner.missing(confirmed)).toEqual([]);
      // An answer that the killed process did not read comes again as a duplicate, and never as a second acceptance.
      const first = answered.filter(({ outcome }) => outcome === 'accepted').map((line) => line.event_id);
      expect(new Set(first).size).toBe(first.length);
      const of = (type: string): unknown[] => after.flatMap((line) => (line.type === type ? [line.event_id] : []));
      expect(of('set_aside')).toEqual(['sdk-python-stranger']);
      expect(of('dead_letter')).toEqual(['sdk-python-future']);
      const { name } = stack.demo_task.send;
      const again = await partner.send(stack.linked_user.platform_user_id, {
        ...{ id: confirmed[0], name, created_at: nowS() },
      });
      expect(again.body).toMatchObject({ outcome: 'duplicate' });
    }, 90_000);
  });
}

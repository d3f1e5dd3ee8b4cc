import { setTimeout as sleep } from 'node:timers/promises';
import { nowS } from '../support/partner-api';
import { eventName } from './partner-plan';

/** Events of one batch at the rate of the checks (partner edge, limits). */
const batchEvents = 100;
const atOnce = 4;

/** Sends batches without an SDK, so that what was accepted is known from the answers alone. */
export class BatchSender {
  constructor(
    private readonly partner: { readonly url: string; readonly key: string; readonly platform: string },
    private readonly account: string,
  ) {}

  /** Sends an event for each id and resolves when all are accepted; throws when one is refused for good. */
  async send(ids: readonly string[]): Promise<void> {
    const batches = Array.from({ length: Math.ceil(ids.length / batchEvents) }, (_, at) =>
      ids.slice(at * batchEvents, (at + 1) * batchEvents),
    );
    const worker = async (): Promise<void> => {
      for (let batch = batches.shift(); batch; batch = batches.shift()) await this.sendBatch(batch);
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  }

  private async sendBatch(batch: readonly string[]): Promise<void> {
    const { url, key, platform } = this.partner;
    const createdAt = nowS();
    let left = batch;
    while (left.length > 0) {
      const events = left.map((id) => ({
        ...{ platform, platform_user_id: this.account },
        event: { id, name: eventName, created_at: createdAt, attributes: [] },
      }));
      const response = await fetch(`${url}/cdp/v1/users/events/batch`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify({ events }),
      });
      const text = await response.text();
      if (response.status === 429 || response.status >= 500) {
        await sleep(1000 * Number(response.headers.get('retry-after') ?? 1));
        continue;
      }
      if (response.status === 200) return;
      if (response.status !== 207) throw new Error(`a batch was answered ${response.status}: ${text}`);
      const { results } = JSON.parse(text) as { results: { status: number }[] };
      const refused = results.find(({ status }) => status >= 400 && status < 500 && status !== 429);
      if (refused) throw new Error(`an event was refused: ${JSON.stringify(refused)}`);
      left = left.filter((_, at) => results[at].status !== 200);
      if (left.length > 0) await sleep(500);
    }
  }
}

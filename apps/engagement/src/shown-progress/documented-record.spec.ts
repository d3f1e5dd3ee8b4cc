import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { decodeRecord, recordKey, taskProgressChanged } from '@podium/messages';

describe('the record of progress in the documentation', () => {
  it('is one that consumers get', () => {
    const page = readFileSync(resolve(__dirname, '../../../../docs/bonus-engine.md'), 'utf8');
    const blocks = [...page.matchAll(/^```json\n(.*?)^```/gms)].map(([, json]) => json);
    const block = blocks.find((json) => json.includes(`"${taskProgressChanged.type}"`));
    const decoded = decodeRecord([taskProgressChanged], Buffer.from(block ?? ''));
    if (!decoded.ok) throw new Error(decoded.reason);
    const { key, data } = decoded.record;
    expect(key).toBe(recordKey(data.platform, data.user_id));
    const [{ series, period_ends_at }] = data.tasks;
    expect(new Date(period_ends_at! * 1000).toISOString()).toBe('2026-12-01T00:00:00.000Z');
    expect(series).toBe('2026-11');
  });
});

import { randomUUID } from 'node:crypto';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { gzipSync } from 'node:zlib';
import { CompetitionChange, competitionKey, decodeRecord, topics } from '@podium/messages';
import { freshName, localStack } from '@podium/testing';
import { readTopicUntil } from '../../../../tools/competition/test/read-topic-until';

jest.setTimeout(90_000);

const organizer = (id: string, name: string) => ({
  kind: 'organizer',
  id,
  document: {
    ...{ organizer_id: id, name, avatar: '', cover: '', description: '', facebook: '', platform_url: '', twitch: '' },
    ...{ twitter: '', type: 'organization', vk: '', website: '', youtube: '', followers_count: 1 },
  },
  beside: { active: true, partner: false, countries: [], games: [], regions: [] },
});

describe('npm run competition:import', () => {
  let folder: string;

  beforeAll(() => (folder = mkdtempSync(path.join(tmpdir(), 'import-'))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const file = (name: string, content: string | Buffer): string => {
    const where = path.join(folder, name);
    writeFileSync(where, content);
    return where;
  };

  it('publishes valid lines, reports the others, and has exit code 1', async () => {
    const ids = [1, 2, 3].map(() => freshName('org'));
    const [first, second, third] = ids;
    const lines = [
      JSON.stringify(organizer(first, 'One')),
      '{"kind":"organizer"',
      '',
      JSON.stringify({ ...organizer(second, 'Two'), kind: 'planet' }),
      JSON.stringify({ ...organizer(second, 'Two'), id: 'another' }),
      JSON.stringify({ ...organizer(second, 'Two'), document: { organizer_id: second } }),
      `{"kind":"organizer","id":"${'x'.repeat(1024 * 1024)}"}`,
      JSON.stringify({ ...organizer(third, 'Three'), revision: 7 }),
      JSON.stringify({ kind: 'organizer', id: third, deleted: true, revision: 8 }),
      `{"kind":"organizer","id":"o","document":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
    ];
    const latin1 = Buffer.from(JSON.stringify(organizer(second, 'Zw\u00f6lf')), 'latin1');
    const content = Buffer.concat([Buffer.from(`${lines.join('\n')}\n`), latin1]);
    const { code, stderr } = await run(file('some.ndjson', content));
    expect(code).toBe(1);
    const refused = stderr.split('\n').filter((line) => line.startsWith('line '));
    expect(refused.map((line) => line.replace(/:.*/, ''))).toEqual([
      ...['line 2', 'line 4', 'line 5', 'line 6', 'line 7', 'line 10', 'line 11'],
    ]);
    expect(refused.at(-1)).toContain('is not UTF-8');
    expect(stderr).toContain('3 changes published, 7 lines refused.');
    const found = await published(ids, 3);
    expect(found.map(({ type, revision }) => [type, revision > 1e15 ? 'of now' : revision])).toEqual(
      expect.arrayContaining([
        ['competition.organizer.changed', 'of now'],
        ['competition.organizer.changed', 7],
        ['competition.document.deleted', 8],
      ]),
    );
  });

  it('reports lines whose records are too large for the topic, and imports all others', async () => {
    const sized = (id: string, bytes: number): string => {
      const line = JSON.stringify({ ...organizer(id, 'Large'), revision: 1 });
      return line.replace('"description":""', `"description":"${'x'.repeat(bytes - line.length)}"`);
    };
    const ids = [1, 2, 3].map(() => freshName('org'));
    const [tooLarge, largest, small] = ids;
    const whole = sized(tooLarge, 1024 * 1024);
    const { stderr: refused } = await run(file('refused.ndjson', whole));
    const [, bytes, most] = /^line 1: gives a record of (\d+) bytes; Kafka accepts at most (\d+)$/m.exec(refused) ?? [];
    const lines = [whole, sized(largest, whole.length - Number(bytes) + Number(most)), sized(small, 1000)];
    const { code, stderr } = await run(file('large.ndjson', lines.join('\n')));
    expect([code, stderr]).toEqual([1, expect.stringContaining('2 changes published, 1 lines refused.')]);
    const found = await published(ids, 2);
    expect(found.map(({ data }) => data.id).sort()).toEqual([largest, small].sort());
  });

  it('accepts a byte order mark, and gzip with any file name, and reports a truncated file', async () => {
    const id = freshName('org');
    const zipped = gzipSync(`\ufeff${JSON.stringify(organizer(id, 'Zip'))}\n`.repeat(3));
    expect(await run(file('zipped', zipped))).toMatchObject({ code: 0 });
    expect((await published([id], 3)).length).toBe(3);
    const cut = await run(file('cut.gz', zipped.subarray(0, zipped.length - 12)));
    expect(cut.code).toBe(1);
    expect(cut.stderr).toMatch(/truncated or corrupt/);
  });

  it('says how many changes it had published when a file is truncated', async () => {
    const id = freshName('org');
    const lines = Array.from({ length: 1_200 }, (_, at) => JSON.stringify(organizer(id, `${at} ${randomUUID()}`)));
    const zipped = gzipSync(lines.join('\n'));
    const { code, stderr } = await run(file('cut-late.gz', zipped.subarray(0, zipped.length - 12)));
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('At most 1000 changes were published before the import failed.'),
    ]);
    expect((await published([id], 1_000)).length).toBe(1_000);
  });

  it('reports wrong usage', async () => {
    expect(await run('/nowhere/at-all.ndjson')).toMatchObject({ code: 2, stderr: expect.stringContaining('ENOENT') });
    expect(await run()).toMatchObject({ code: 2 });
    const nowhere = await run(file('any.ndjson', ''), '--brokers', '127.0.0.1:1');
    expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining('No Kafka broker responds') as string });
    expect(await run('--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('Exit codes') });
  });
});

function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['-r', '@swc-node/register', 'apps/operator/src/main.ts', 'competition', 'import', ...args],
      { env: { ...process.env, KAFKA_BROKERS: localStack().kafkaBrokers.join(',') }, timeout: 30_000 },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code ?? NaN) : 0, stdout, stderr }),
    );
  });
}

/** The changes of some organizers, as soon as the topic has so many. */
async function published(ids: readonly string[], count: number): Promise<CompetitionChange[]> {
  const keys = new Set(ids.map((id) => competitionKey('organizer', id)));
  const records = await readTopicUntil(topics.competitionChanges.name, keys, count);
  return records.map((value) => {
    const decoded = decodeRecord(topics.competitionChanges.events, value);
    if (!decoded.ok) throw new Error(decoded.reason);
    return decoded.record as CompetitionChange;
  });
}

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { BackfillJournal } from '../src/command-line/backfill-journal';
import { ProgressBar } from '../src/command-line/progress-bar';
import { HostileEdge } from './hostile-edge';
import { runCommand } from './scripted-edge';
import { temporaryFolders } from './temporary-folder';

const folderOf = temporaryFolders();
const seed = Number(process.env.PODIUM_SEED ?? Date.now() % 2 ** 31);
const random = randomOf(seed);
const program = path.join(__dirname, '../src/command-line/main.ts');
const env = { PODIUM_EVENT_KEY: 'canary-key' };

interface Summary {
  finished: boolean;
  records: number;
  accepted: number;
  duplicates: number;
  refused: number;
  refused_by_code: Record<string, number>;
  report: string | null;
  runs: number;
}

describe('podium-partner backfill', () => {
  let edge: HostileEdge;
  let url: string;
  let folder: string;

  beforeEach(async () => {
    edge = new HostileEdge(random);
    url = await edge.listen();
    folder = folderOf();
  });
  afterEach(() => edge.close());

  const file = (name: string, text: string): string => {
    fs.writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const eventOf = (id: string, user = 'u'): object => ({
    platform_user_id: user,
    event: { id, name: 'deposit', created_at: 1_767_225_600, attributes: [{ name: 'amount', value: '1' }] },
  });
  const ndjson = (values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');
  const backfill = async (
    input: string,
    ...args: string[]
  ): Promise<{ code: number; err: string; summary: Summary }> => {
    const { code, out, err } = await runCommand(['backfill', input, '--json', '--url', url, ...args], { env });
    return { code, err, summary: (out === '' ? {} : JSON.parse(out)) as Summary };
  };
  const reportOf = (input: string): { line: number; code: string; event?: object }[] =>
    fs
      .readFileSync(`${input}.refused.ndjson`, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { line: number; code: string });

  it(`accounts for every line although it is killed several times and the server is hostile (PODIUM_SEED=${seed})`, async () => {
    const lines = 12_000;
    const isRefused = (at: number): boolean => at % 100 === 17;
    const input = file(
      'events.ndjson',
      Array.from({ length: lines }, (_, at) => {
        if (at % 1_000 === 500) return 'not json\n';
        return `${JSON.stringify(eventOf(`e-${at}`, isRefused(at) ? 'stranger' : 'u'))}\n`;
      }).join(''),
    );
    edge.hostility = 0.1;
    edge.refuse = ({ platform_user_id: user }) => (user === 'stranger' ? [404, 'user_not_linked', 'later'] : undefined);
    let kills = 0;
    let code: number | null = null;
    let printed = '';
    for (let run = 0; code === null; run++) {
      await edge.settled();
      const before = edge.accepted.size;
      const child = spawn(
        process.execPath,
        ['-r', '@swc-node/register', program, 'backfill', input, '--json', '--url', url],
        {
          env: { ...process.env, ...env },
          stdio: ['ignore', 'pipe', 'ignore'],
        },
      );
      printed = '';
      child.stdout.on('data', (chunk) => (printed += String(chunk)));
      const ended = once(child, 'exit') as Promise<[number | null]>;
      // Killed once it has sent something, at any moment.
      if (run < 4) {
        while (edge.accepted.size < before + 300 && child.exitCode === null) await sleep(5);
        await sleep(random() * 400);
        if (child.kill('SIGKILL')) kills += 1;
      }
      [code] = await ended;
    }
    const summary = JSON.parse(printed) as Summary;
    expect([code, kills]).toEqual([1, 4]);
    const bad = Array.from({ length: lines }, (_, at) => at).filter((at) => isRefused(at) || at % 1_000 === 500);
    expect(reportOf(input).map(({ line }) => line)).toEqual(bad.map((at) => at + 1));
    expect(summary).toMatchObject({ finished: true, records: lines, refused: bad.length, runs: 5 });
    expect(summary.refused_by_code).toEqual({ user_not_linked: 120, invalid_request: 12 });
    expect(summary.accepted + summary.duplicates).toBe(lines - bad.length);
    expect(edge.accepted.size).toBe(lines - bad.length);
    expect(edge.mostUnderWay).toBeGreaterThan(2);
    // What is finished is not sent again.
    const sent = [...edge.accepted.values()].reduce((sum, times) => sum + times, 0);
    expect((await backfill(input)).summary).toEqual(summary);
    expect([...edge.accepted.values()].reduce((sum, times) => sum + times, 0)).toBe(sent);
    // Corrected, the report is a file to send.
    edge.refuse = () => undefined;
    edge.hostility = 0;
    const again = await backfill(`${input}.refused.ndjson`);
    expect(again.summary).toMatchObject({ records: bad.length, accepted: 120, refused: 12 });
    expect(edge.accepted.size).toBe(lines - 12);
    const left = `${input}.refused.ndjson`;
    expect(reportOf(left)[0]).toMatchObject({ code: 'invalid_request', text: 'not json' });
    const corrected = JSON.stringify(JSON.stringify(eventOf('e-500')));
    const report = fs.readFileSync(`${left}.refused.ndjson`, 'utf8').replace('"not json"', corrected);
    expect((await backfill(file('corrected.ndjson', report))).summary).toMatchObject({ accepted: 1, refused: 11 });
  }, 120_000);

  it('reads columns, quotes and damaged records, and gives each its line', async () => {
    const rows = [
      'id,platform_user_id,created_at,amount,attributes.name',
      'a,u,2026-01-01T00:00:00Z,1.5,"Ann ""A"", B"',
      'b,u,1767225600,,',
      '',
      '"c',
      'c",u,1767225600,2,',
      'd,u,yesterday,2,',
      'e,u',
      'f,u"x",1767225600,2,',
      `g,${'x'.repeat(70_000)},1767225600,2,`,
      ',u,1767225600,2,',
      'h,u,1767225600,2,"never closed',
    ];
    const input = file('d.csv', `\uFEFF${rows.join('\r\n')}`);
    const { code, summary } = await backfill(input, '--set', 'name=deposit');
    expect([code, [...edge.accepted.keys()]]).toEqual([1, ['a', 'b', 'c\r\nc', 'f']]);
    expect(reportOf(input)).toMatchObject([
      { line: 7, code: 'invalid_request', field: 'event.created_at', text: 'd,u,yesterday,2,' },
      { line: 8, code: 'invalid_request', message: expect.stringContaining('2 fields') },
      { line: 10, code: 'payload_too_large' },
      { line: 11, code: 'invalid_request', field: 'event.id' },
      { line: 12, code: 'invalid_request', message: expect.stringContaining('quote') },
    ]);
    expect(summary).toMatchObject({ records: 9, accepted: 4, refused: 5 });
  });

  it('reads a file behind whose columns a spreadsheet has written others without a name', async () => {
    const rows = ['id,platform_user_id,name,created_at,,', 'a,u,deposit,1767225600,,', 'b,u,deposit,1767225600,1,'];
    const input = file('columns.csv', rows.join('\n'));
    edge.refuse = ({ event: { id } }) => (id === 'b' ? [400, 'invalid_request', 'never'] : undefined);
    expect((await backfill(input)).summary).toMatchObject({ records: 2, accepted: 1, refused: 1 });
    expect(reportOf(input)).toMatchObject([{ event: { event: { attributes: [{ name: '', value: '1' }] } } }]);
  });

  it('reports a record that is nested deeper than the stack, and takes it again from the report', async () => {
    const deep = `{"platform":"acme","platform_user_id":"u","event":{"id":"deep","more":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`;
    const input = file('deep.ndjson', ndjson([eventOf('a')]) + deep + '\n' + ndjson([eventOf('b')]));
    for (const name of [input, `${input}.refused.ndjson`]) {
      expect((await backfill(name)).summary).toMatchObject({ finished: true, refused: 1 });
      expect(reportOf(name)).toMatchObject([{ code: 'invalid_request', text: deep }]);
    }
    expect([...edge.accepted.keys()].sort()).toEqual(['a', 'b']);
  });

  it('derives ids from content, so that a sorted copy of a file has no effect', async () => {
    const events = Array.from({ length: 200 }, (_, at) => {
      const { event, ...rest } = eventOf('') as { event: object };
      return { ...rest, event: { ...event, id: undefined, created_at: 1_767_225_600 + (at % 150) } };
    });
    const [input, sorted] = [file('a.ndjson', ndjson(events)), file('b.ndjson', ndjson(events.reverse()))];
    expect((await backfill(input)).summary).toMatchObject({ refused: 200 });
    expect(await backfill(input, '--derive-ids')).toMatchObject({ code: 2, err: expect.stringContaining('--restart') });
    const derived = await backfill(input, '--derive-ids', '--restart');
    expect(derived.summary).toMatchObject({ records: 200, accepted: 150, duplicates: 50, refused: 0, report: null });
    expect(fs.existsSync(`${input}.refused.ndjson`)).toBe(false);
    expect((await backfill(sorted, '--derive-ids')).summary).toMatchObject({ accepted: 0, duplicates: 200 });
  });

  it('counts attributes that are left out by any name', async () => {
    edge.dropped = ['campaign', 'constructor', '__proto__'];
    const input = file('names.ndjson', ndjson([eventOf('a'), eventOf('b')]));
    const counts = JSON.stringify({
      dropped_attributes: JSON.parse('{"campaign":2,"constructor":2,"__proto__":2}') as object,
    });
    for (let call = 0; call < 2; call++) {
      const { out } = await runCommand(['backfill', input, '--json', '--url', url], { env });
      expect(out).toContain(counts.slice(1, -1));
    }
  });

  it('says which lines have the id of another event, and so are not stored', async () => {
    const lines = [...Array.from({ length: 20 }, (_, at) => eventOf(`e-${at}`)), eventOf('e-1'), eventOf('e-2', 'v')];
    const input = file('twice.ndjson', ndjson([...lines, ...Array.from({ length: 22 }, () => eventOf('e-3', 'w'))]));
    const { code, summary } = await backfill(input);
    expect([code, summary]).toMatchObject([0, { records: 44, accepted: 20, duplicates: 24 }]);
    const warned = { events: 23, lines: Array.from({ length: 20 }, (_, at) => 22 + at) };
    expect(summary).toMatchObject({ warnings: { content_differs: warned } });
    // The journal of a version that counted none has none to print.
    expect((await runCommand(['backfill', input, '--url', url], { env })).out).toMatch(
      /^Warning content_differs, an event .* not stored: 23 events, in lines 22, .*, 41, …$/m,
    );
    const journal = path.join(`${input}.backfill`, 'journal.json');
    const { warnings, ...former } = JSON.parse(fs.readFileSync(journal, 'utf8')) as { warnings?: object };
    expect(warnings).toBeDefined();
    fs.writeFileSync(journal, JSON.stringify(former));
    expect((await backfill(input)).summary).toMatchObject({ records: 44, warnings: {} });
  });

  it('stops for a key that is refused, and continues; one line of another platform stops nothing', async () => {
    const input = file('e.ndjson', ndjson(Array.from({ length: 500 }, (_, at) => eventOf(`e-${at}`))));
    edge.refuse = ({ event }) => (event.id === 'e-300' ? [401, 'unauthorized', 'pause'] : undefined);
    const stopped = await backfill(input);
    expect(stopped).toMatchObject({
      code: 3,
      err: expect.stringContaining('unauthorized'),
      summary: { finished: false },
    });
    expect(stopped.summary.records).toBeGreaterThanOrEqual(250);
    edge.refuse = ({ event }) => (event.id === 'e-300' ? [403, 'platform_mismatch', 'pause'] : undefined);
    const finished = await backfill(input);
    expect(finished.summary).toMatchObject({ finished: true, records: 500, refused: 1, runs: 2 });
    expect(reportOf(input)).toMatchObject([{ line: 301, code: 'platform_mismatch', event: { platform: 'acme' } }]);
  });

  it('continues only with the report that it has left, and needs none to print the result again', async () => {
    const input = file('e.ndjson', ndjson(Array.from({ length: 500 }, (_, at) => eventOf(`e-${at}`))));
    edge.refuse = ({ event }) => {
      if (event.id === 'e-1') return [404, 'user_not_linked', 'later'];
      return event.id === 'e-300' ? [401, 'unauthorized', 'pause'] : undefined;
    };
    expect((await backfill(input)).code).toBe(3);
    const [report, moved] = [`${input}.refused.ndjson`, path.join(folder, 'moved.ndjson')];
    fs.renameSync(report, moved);
    const sentence = `${report} is not what the last call left: put it back. Or begin again with --restart`;
    const refused = await backfill(input);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining(sentence) });
    expect(fs.existsSync(report)).toBe(false);
    const left = fs.readFileSync(moved, 'utf8');
    for (const changed of [left.slice(0, 10), left.replace('"u"', '"another user"')]) {
      fs.writeFileSync(report, changed);
      expect(await backfill(input)).toMatchObject({ code: 2, err: expect.stringContaining(sentence) });
      expect(fs.readFileSync(report, 'utf8')).toBe(changed);
    }
    fs.renameSync(moved, report);
    edge.refuse = () => undefined;
    const finished = await backfill(input);
    // A refused call is none that worked on the file.
    expect(finished).toMatchObject({ code: 1, summary: { finished: true, records: 500, refused: 1, runs: 2 } });
    expect(reportOf(input)).toMatchObject([{ line: 2, code: 'user_not_linked' }]);
    fs.renameSync(report, moved);
    expect(await backfill(input)).toMatchObject({ code: 1, summary: finished.summary });
    expect(fs.existsSync(report)).toBe(false);
    expect((await backfill(input, '--restart')).summary).toMatchObject({ finished: true, records: 500, refused: 0 });
  });

  it('does not finish on a full disk, and continues once there is space', async () => {
    const input = file('e.ndjson', ndjson(Array.from({ length: 4_000 }, (_, at) => eventOf(`e-${at}`))));
    edge.refuse = () => [404, 'user_not_linked', 'later'];
    // 700 KiB, or twice as much by the shell: less than the report of all lines.
    const limited = ['-c', 'ulimit -f 1400; exec "$0" "$@"', process.execPath, '-r', '@swc-node/register', program];
    const ended = await promisify(execFile)('sh', [...limited, 'backfill', input, '--url', url], {
      env: { ...process.env, ...env },
    }).catch((error: { code: number; stderr: string }) => error);
    expect(ended).toMatchObject({ code: 3, stderr: expect.stringMatching(/EFBIG[^]*Not finished/) as string });
    expect(await backfill(input)).toMatchObject({ code: 1, summary: { finished: true, refused: 4_000 } });
    expect(reportOf(input).map(({ line }) => line)).toEqual(Array.from({ length: 4_000 }, (_, at) => at + 1));
  }, 20_000);

  it('leaves nothing of a commit that failed in the report', () => {
    const [input, report] = [file('e.ndjson', ndjson([eventOf('a')])), path.join(folder, 'report.ndjson')];
    fs.mkdirSync(`${input}.backfill`);
    const journal = BackfillJournal.open(`${input}.backfill`, { input, settings: '', report });
    const refused = { line: 1, code: 'invalid_request', message: 'm' };
    // As a full disk cuts a line.
    fs.appendFileSync(report, '{"line":1,"co');
    journal.commit([refused], { ...journal.state, records: 1, refused: 1 });
    journal.close();
    expect(fs.readFileSync(report, 'utf8')).toBe(`${JSON.stringify(refused)}\n`);
    expect(journal.state.reportBytes).toBe(fs.statSync(report).size);
  });

  it('begins again with --restart where its journal is damaged', async () => {
    const input = file('e.ndjson', ndjson([eventOf('a'), eventOf('b')]));
    expect((await backfill(input)).code).toBe(0);
    for (const damaged of ['{"offset":1', '{}', 'null']) {
      fs.writeFileSync(path.join(`${input}.backfill`, 'journal.json'), damaged);
      expect(await backfill(input)).toMatchObject({ code: 2, err: expect.stringContaining('--restart begins') });
      expect(await backfill(input, '--restart')).toMatchObject({ code: 0, summary: { records: 2, duplicates: 2 } });
    }
  });

  it.each(['ndjson', 'csv'])(
    'refuses %s by bytes that are not UTF-8, not by the character that replaces them',
    async (format) => {
      const lines =
        format === 'ndjson'
          ? [eventOf('good', 'u\ufffd'), eventOf('bad', 'uX')].map((event) => JSON.stringify(event))
          : ['id,platform_user_id,name,created_at', 'good,u\ufffd,deposit,1767225600', 'bad,uX,deposit,1767225600'];
      const input = file(`e.${format}`, '');
      const latin1 = Buffer.from(`${lines.join('\n')}\n`).map((byte) => (byte === 'X'.charCodeAt(0) ? 0xe9 : byte));
      fs.writeFileSync(input, latin1);
      const { code, summary } = await backfill(input);
      expect([code, summary.accepted, summary.refused]).toEqual([1, 1, 1]);
      expect([...edge.accepted.keys()]).toEqual(['good']);
      expect(reportOf(input)).toMatchObject([{ line: lines.length, code: 'invalid_request' }]);
    },
  );

  it('refuses the record of a report whose bytes were replaced there, until it is corrected', async () => {
    const input = file('e.ndjson', '');
    const text = Buffer.from(ndjson([eventOf('bad', 'uX')]));
    fs.writeFileSync(
      input,
      text.map((byte) => (byte === 'X'.charCodeAt(0) ? 0xe9 : byte)),
    );
    const report = `${input}.refused.ndjson`;
    for (const each of [input, report]) expect((await backfill(each)).summary).toMatchObject({ refused: 1 });
    expect(edge.accepted.size).toBe(0);
    const corrected = fs.readFileSync(`${report}.refused.ndjson`, 'utf8').replace('\ufffd', '\u00e9');
    expect((await backfill(file('corrected.ndjson', corrected))).summary).toMatchObject({ accepted: 1 });
  });

  it.each(['short', `${'long-name-'.repeat(11)}/${'x'.repeat(100)}`])(
    'lets no second process send the same file: %s',
    async (below) => {
      folder = path.join(folder, below);
      fs.mkdirSync(folder, { recursive: true });
      const input = file('e.ndjson', ndjson([eventOf('a')]));
      let open = (): void => undefined;
      edge.gate = new Promise((resolve) => (open = resolve));
      const first = backfill(input);
      while (edge.mostUnderWay === 0) await sleep(5);
      expect(await backfill(input)).toMatchObject({ code: 2, err: expect.stringContaining('Another process') });
      open();
      expect((await first).code).toBe(0);
      // What a killed process leaves of its lock holds nobody up.
      fs.writeFileSync(path.join(`${input}.backfill`, `${'0'.repeat(16)}.sock`), '');
      expect((await backfill(input)).code).toBe(0);
    },
  );

  it('refuses a file that has changed, and a report that is not its own', async () => {
    const input = file('e.ndjson', ndjson([eventOf('a')]));
    fs.writeFileSync(`${input}.refused.ndjson`, 'of somebody');
    expect(await backfill(input)).toMatchObject({ code: 2, err: expect.stringContaining('--report') });
    const report = path.join(folder, 'report.ndjson');
    expect((await backfill(input, '--report', report)).code).toBe(0);
    fs.appendFileSync(input, ndjson([eventOf('b')]));
    expect(await backfill(input, '--report', report)).toMatchObject({
      code: 2,
      err: expect.stringContaining('changed'),
    });
    const again = await backfill(input, '--report', report, '--restart');
    expect(again.summary).toMatchObject({ accepted: 1, duplicates: 1 });
    expect((await backfill(file('data', ''))).code).toBe(2);
    const none = file('none.ndjson', '');
    const finished = { code: 0, summary: { records: 0, finished: true } };
    expect(await backfill(none)).toMatchObject(finished);
    // A process that was killed at its end has left it.
    fs.writeFileSync(`${none}.refused.ndjson`, '');
    expect(await backfill(none)).toMatchObject(finished);
    expect(fs.existsSync(`${none}.refused.ndjson`)).toBe(false);
  });

  it('shows a bar on a terminal, with rate and time left', async () => {
    let [shown, atMs] = ['', 0];
    const bar = new ProgressBar({ err: (text) => (shown += text), columns: 100 }, () => atMs);
    const at = (records: number, refused = 0): void =>
      bar.show({ records, refused, offset: records * 10, inputBytes: 100_000 });
    at(0);
    atMs = 10_000;
    at(1_000, 3);
    bar.end();
    expect(shown.split('\r').at(-1)).toBe(
      '[###---------------------------] 10 %, 1,000 lines, 3 refused, 100/s, 1 min 30 s left\u001b[K\n',
    );
  });
});

/** Numbers from 0 to 1 by a seed (mulberry32). */
function randomOf(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

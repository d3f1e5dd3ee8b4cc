import { text } from 'node:stream/consumers';
import { keyInCursor } from '@podium/runtime/http';
import { Exports } from './export-lines';
import { ReadPart, ReportKey } from './report-part';

const organizerId = 'organizer-1';

/** Users 1 to 9, of whom three are looked at in a part; only some have an item. */
function reportOf(found: readonly number[], read: ReportKey[] = []): ReadPart<{ user: number }> {
  return async (after) => {
    if (after !== null) read.push(after);
    const from = Number(after?.[0] ?? 0);
    const users = [1, 2, 3].map((step) => from + step).filter((user) => found.includes(user));
    return {
      items: users.map((user) => ({ key: [user], item: { user } })),
      next: from + 3 < 9 ? [from + 3] : null,
    };
  };
}

async function linesOf(read: ReadPart<{ user: number }>, after: ReportKey | null = null) {
  const lines = (await text(await new Exports().stream({ read, after, organizerId })))
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as { user?: number; cursor: string });
}

describe('the lines of an export', () => {
  it('have a cursor while no item is found, from which the export continues without searching again', async () => {
    const lines = await linesOf(reportOf([8]));
    expect(lines.map(({ user }) => user)).toEqual([undefined, undefined, 8]);
    const read: ReportKey[] = [];
    const rest = await linesOf(reportOf([8], read), keyInCursor(lines[1].cursor, ['number']));
    expect(rest).toEqual([lines[2]]);
    expect(read).toEqual([[6]]);
  });

  it('have no cursor after the last item, where nothing follows', async () => {
    expect(await linesOf(reportOf([2]))).toEqual([{ user: 2, cursor: expect.any(String) }, expect.anything()]);
    expect(await text(await new Exports().stream({ read: reportOf([]), after: [6], organizerId }))).toBe('\n');
  });
});

describe('the slots of exports', () => {
  it('are not all taken by one organizer, and are freed by those whom they belonged to', async () => {
    const exports = new Exports();
    const open = (of: string) => exports.stream({ read: reportOf([1]), after: null, organizerId: of });
    const refused = { code: 'rate_limited', retryAfterS: 60 };
    const [own, other] = [await open('one'), await open('one')];
    await expect(open('one')).rejects.toMatchObject({
      ...refused,
      message: expect.stringContaining('of this organizer'),
    });
    const others = [await open('two'), await open('two')];
    await expect(open('three')).rejects.toMatchObject({
      ...refused,
      message: expect.stringContaining('Too many exports are'),
    });
    await expect(text(own)).resolves.toContain('"user":1');
    await text(await open('three'));
    await text(await open('one'));
    for (const each of [other, ...others]) each.destroy();
  });

  it('are freed by one whose report cannot be read', async () => {
    const exports = new Exports();
    const read = () => Promise.reject(new Error('the database is away'));
    for (let n = 0; n < 5; n++)
      await expect(exports.stream({ read, after: null, organizerId })).rejects.toThrow('the database is away');
  });
});

import { text } from 'node:stream/consumers';
import { keyInCursor } from '@podium/runtime/http';
import { Exports } from './export-lines';
import { ReadPart, ReportKey } from './report-part';

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
  const lines = (await text(await new Exports().stream(read, after))).split('\n').filter((line) => line !== '');
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
    expect(await text(await new Exports().stream(reportOf([]), [6]))).toBe('\n');
  });
});

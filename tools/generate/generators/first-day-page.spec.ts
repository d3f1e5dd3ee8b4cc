import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { firstDayPage, withNewest } from './first-day-page';

const page = [
  'schema linkage               ok     matches this release, Former1',
  'schema competition_read      ok     matches this release, Other2',
  '',
].join('\n');

describe("the page of an operator's first day", () => {
  it('names the newest migration of each schema', () => {
    const [{ path, content }] = firstDayPage();
    // Otherwise: npm run generate.
    expect(readFileSync(resolve(__dirname, '../../..', path), 'utf8')).toBe(content);
  });

  it('has them in the lines of their schemas', () => {
    expect(withNewest(page, [{ schema: 'competition_read', name: 'Newest3' }])).toBe(page.replace('Other2', 'Newest3'));
  });

  it('must have a line for each schema', () => {
    expect(() => withNewest(page, [{ schema: 'ingestion', name: 'Newest3' }])).toThrow(/no line "schema ingestion/);
  });
});

import { requireDocumented } from './documented-answers';

const rate = {
  ...{ organizer_id: 'o', from: 'USD', to: 'EUR', day: '2026-11-05', rate: '0.9', state: 'given', given_by: 'a' },
  ...{ given_at: '2026-11-06T00:00:00.000Z', approved_by: null, approved_at: null },
};
const page = (item: object): string => JSON.stringify({ items: [item], next_cursor: null });
const refusedWith = (code: string): string => JSON.stringify({ error: { code, message: 'm', retry: 'never' } });
const refused = refusedWith('not_found');

describe("answers of the operators' API", () => {
  const answer = (status: number, text: string, url = '/admin/v1/rates?limit=1') =>
    requireDocumented({ method: 'GET', url, status, text });

  it.each<[string, () => void]>([
    ['a documented page', () => answer(200, page(rate))],
    ['a documented error', () => answer(404, refused)],
    ['lines that are not JSON', () => answer(200, '\n', '/admin/v1/segments/s/members/export')],
    ['a path that no operation has', () => answer(404, refused, '/admin/v1/nothing')],
  ])('may be %s', (_what, given) => {
    expect(given).not.toThrow();
  });

  it.each<[string, () => void, RegExp]>([
    ['a success at a path that no operation has', () => answer(200, page(rate), '/admin/v1/nothing'), /no OpenAPI op/],
    ['a status that the operation does not list', () => answer(409, refused), /listRates answers 409, which/],
    ['an error code of another status', () => answer(404, refusedWith('conflict')), /answers 404 with conflict, which/],
    ['an unknown field', () => answer(200, page({ ...rate, more: 1 })), /additional properties/],
    ['a field that is missing', () => answer(200, page({ ...rate, rate: undefined })), /required property 'rate'/],
    ['a value that no enumeration has', () => answer(200, page({ ...rate, state: 'open' })), /allowed values/],
    ['null where there is none', () => answer(200, page({ ...rate, day: null })), /must be string/],
    ['a time in another form', () => answer(200, page({ ...rate, given_at: '2026-11-06' })), /format "date-time"/],
    ['an error without its retry class', () => answer(404, '{"error":{"code":"c","message":"m"}}'), /'retry'/],
    [
      'an item of another list with a path of the same form',
      () => answer(200, page(rate), '/admin/v1/rates/audit?organizer_id=o'),
      /listRatesAudit answers 200 other/,
    ],
  ])('must not be %s', (_what, given, message) => {
    expect(given).toThrow(message);
  });
});

import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import fc from 'fast-check';
import { maxAttributes } from './event-limits';
import { maxProblems } from './json-reader';
import { inspectEvent, parseEvent } from './parse-event';
import { SendEventDto } from '../documentation/send-event.dto';

const nowMs = Date.UTC(2026, 0, 15, 12);
const nowS = nowMs / 1000;

interface Body {
  [field: string]: unknown;
  event: Record<string, unknown>;
}

function valid(change: (body: Body) => void = () => undefined): Body {
  const body: Body = {
    platform_user_id: 'player-1',
    platform: 'acme',
    event: { id: 'e-1', name: 'deposit', created_at: nowS, attributes: [{ name: 'amount', value: '1.00' }] },
  };
  change(body);
  return body;
}

function parse(body: unknown): ReturnType<typeof parseEvent> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return parseEvent(Buffer.isBuffer(body) ? body : Buffer.from(text), nowMs);
}

function messageOf(body: unknown): string {
  const parsed = parse(body);
  if (parsed.ok) throw new Error('the body is accepted');
  return parsed.problem.message;
}

/** The text of a valid body with the given value of created_at. */
function withCreatedAt(form: string): string {
  return JSON.stringify(valid()).replace(String(nowS), form);
}

describe('parseEvent', () => {
  it('reads an event unchanged, without trimming or normalizing', () => {
    expect(
      parse({
        extra: { deep: [1, null, true] },
        platform_user_id: ' a:b ',
        platform: 'acme',
        event: {
          id: '__proto__',
          name: 'De\u0301pot',
          created_at: 0,
          attributes: [
            { name: 'constructor', value: '', note: 1 },
            { value: '\ud83d\ude00', name: '__proto__' },
          ],
        },
      }),
    ).toEqual({
      ok: true,
      event: {
        platformUserId: ' a:b ',
        platform: 'acme',
        id: '__proto__',
        name: 'De\u0301pot',
        createdAt: 0,
        attributes: [
          { name: 'constructor', value: '' },
          { name: '__proto__', value: '\ud83d\ude00' },
        ],
      },
    });
  });

  it.each([
    ['no attributes', valid((body) => delete body.event.attributes)],
    ['empty attributes', valid((body) => (body.event.attributes = []))],
    ['a clock five minutes ahead', valid((body) => (body.event.created_at = nowS + 300))],
    ['an id of 255 bytes', valid((body) => (body.event.id = 'é'.repeat(127) + 'x'))],
    ['as many attributes as allowed', valid((body) => (body.event.attributes = attributes(maxAttributes)))],
    ['an escaped pair', JSON.stringify(valid()).replace('e-1', '\\ud83d\\ude00')],
  ])('accepts %s', (_name, body) => {
    expect(parse(body)).toMatchObject({ ok: true });
  });

  it.each([
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 'UTF-8'],
    ['an overlong form', Buffer.from([0x22, 0xc0, 0x80, 0x22]), 'UTF-8'],
    ['an empty body', '', 'The body is empty'],
    ['blanks', ' \n', 'The body is empty'],
    ['a byte order mark', `\ufeff${JSON.stringify(valid())}`, 'The body begins with a byte order mark'],
    ['an array', '[]', 'The body is an array, and must be the object of one event'],
    ['null', 'null', 'not a JSON object'],
    ['text after the object', `${JSON.stringify(valid())}{}`, 'not JSON'],
    ['an unpaired surrogate', JSON.stringify(valid()).replace('e-1', '\\ud800'), 'event.id'],
    ['an unpaired surrogate in a field that is ignored', '{"x":{"y":"\\udc00"}}', '"x"'],
    ['NUL', JSON.stringify(valid()).replace('player-1', 'a\\u0000b'), 'platform_user_id'],
    ['nine levels', `{"x":${'['.repeat(8)}${']'.repeat(8)}}`, 'deeper than 8'],
    ['a repeated field', '{"platform":"acme","platform":"acme"}', 'platform is given twice'],
    ['a repeated field by an escape', '{"platform":"acme","pl\\u0061tform":"acme"}', 'platform is given twice'],
    ['a repeated unknown field', '{"x":1,"x":1}', '"x" is given twice'],
    ['a repeated unknown field with brackets', '{"x[]":1,"x[]":1}', '"x[]" is given twice'],
    ['NUL in the name of a field', '{"platform":"acme","a\\u0000b":1}', 'The body has a string with NUL'],
    [
      'NUL in the name of a field of an attribute',
      '{"event":{"attributes":[{"name":"n","value":""},{"name":"a","b\\u0000":1}]}}',
      'event.attributes[1] has a string with NUL',
    ],
    ['no platform', valid((body) => delete body.platform), 'platform is missing'],
    ['a null platform', valid((body) => (body.platform = null)), 'platform is null'],
    ['a numeric user', valid((body) => (body.platform_user_id = 7)), 'platform_user_id must be a string'],
    ['an event that is a list', '{"event":[]}', 'event must be an object'],
    ['no id', valid((body) => delete body.event.id), 'event.id is missing'],
    ['an empty id', valid((body) => (body.event.id = '')), 'event.id is empty'],
    ['a blank name', valid((body) => (body.event.name = ' \u00a0\t')), 'event.name is empty'],
    ['an id of 256 bytes', valid((body) => (body.event.id = 'é'.repeat(128))), 'event.id is longer than 255 bytes'],
    [
      'attributes that are not a list',
      valid((body) => (body.event.attributes = {})),
      'event.attributes must be an array',
    ],
    ['null attributes', valid((body) => (body.event.attributes = null)), 'event.attributes is null'],
    ['a null attribute', valid((body) => (body.event.attributes = [null])), 'event.attributes[0] is null'],
    [
      'a numeric value',
      valid(
        (body) =>
          (body.event.attributes = [
            { name: 'a', value: '' },
            { name: 'b', value: 1 },
          ]),
      ),
      'event.attributes[1].value must be a string',
    ],
    [
      'an attribute without a value',
      valid((body) => (body.event.attributes = [{ name: 'a' }])),
      'event.attributes[0].value is missing',
    ],
    ['too many attributes', valid((body) => (body.event.attributes = attributes(maxAttributes + 1))), 'more than 100'],
    ['a time as text', withCreatedAt('"1"'), 'event.created_at must be an integer'],
    ['a fraction', withCreatedAt('1.5'), 'without sign, fraction or exponent'],
    ['a fraction of zero', withCreatedAt('1.0'), 'without sign, fraction or exponent'],
    ['an exponent', withCreatedAt('1e3'), 'without sign, fraction or exponent'],
    ['a negative time', withCreatedAt('-1'), 'without sign, fraction or exponent'],
    ['minus zero', withCreatedAt('-0'), 'without sign, fraction or exponent'],
    ['a leading zero', withCreatedAt('01'), 'not JSON'],
    ['a plus', withCreatedAt('+1'), 'must be an integer'],
    ['2^53', withCreatedAt('9007199254740993'), 'in the future'],
    ['milliseconds', withCreatedAt(String(nowMs)), 'looks like milliseconds'],
    ['more than five minutes ahead', withCreatedAt(String(nowS + 301)), 'in the future'],
  ])('refuses %s', (_name, body, sentence) => {
    expect(messageOf(body)).toContain(sentence);
  });

  it.each([
    ['six minutes ahead, as of a clock that is off', nowS + 360, 60],
    ['half an hour ahead', nowS + 1800, 1500],
    ['further ahead than clocks are off', nowS + 1801, undefined],
    ['an hour ahead, as of another time zone', nowS + 3600, undefined],
    ['in milliseconds', nowMs, undefined],
  ])('says for an event %s when it can be accepted', (_name, createdAt, retryAfterS) => {
    const body = withCreatedAt(String(createdAt));
    expect(parse(body)).toMatchObject({ ok: false, problem: { field: 'event.created_at', retryAfterS } });
    if (retryAfterS !== undefined)
      expect(parseEvent(Buffer.from(body), nowMs + retryAfterS * 1000)).toMatchObject({ ok: true });
  });

  it('stays fast on adversarial bodies', () => {
    const hostile = [
      `{${Array.from({ length: 6000 }, (_, i) => `"k${i}":1`).join(',')}}`,
      '['.repeat(65_536),
      `{"x":"${'\\u0041'.repeat(10_000)}"}`,
      `{"x":${'1'.repeat(65_000)}}`,
    ];
    const start = performance.now();
    for (const body of hostile) parse(body);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});

describe('inspectEvent', () => {
  const fieldsOf = (body: string): string[] =>
    inspectEvent(Buffer.from(body), nowMs).problems.map(({ field }) => field);

  it('lists the first hundred problems of a body that has thousands, and still reads the event', () => {
    const { event, problems } = inspectEvent(
      Buffer.from(
        JSON.stringify({
          ...{ platform: 'acme', platform_user_id: 'u' },
          event: { attributes: Array.from({ length: 5_000 }, () => ({})), id: 'e', name: 'deposit', created_at: 1 },
        }),
      ),
      nowMs,
    );
    expect(problems).toHaveLength(maxProblems);
    expect(event).toMatchObject({ id: 'e', platformUserId: 'u' });
  });

  it('lists all problems, each with its field', () => {
    const sent = {
      platform: 7,
      platform_user_id: ' ',
      event: {
        id: null,
        name: 'x'.repeat(256),
        created_at: nowMs,
        attributes: [{ name: 'a', value: 1 }, 5, { value: 'x' }, { name: 'b', value: 'y' }],
      },
    };
    expect(fieldsOf(JSON.stringify(sent))).toEqual([
      'platform',
      'platform_user_id',
      'event.id',
      'event.name',
      'event.created_at',
      'event.attributes[0].value',
      'event.attributes[1]',
      'event.attributes[2].name',
    ]);
    expect(fieldsOf('{}')).toEqual(['platform', 'platform_user_id', 'event']);
    expect(fieldsOf('{"event":{},"event":{}}')).toEqual([
      ...['event.id', 'event.name', 'event.created_at', 'event'],
      ...['event.id', 'event.name', 'event.created_at', 'platform', 'platform_user_id'],
    ]);
    expect(fieldsOf(JSON.stringify({ ...sent, event: { attributes: attributes(103) } }))).toContain('event.attributes');
  });

  it.each([
    ['no JSON', '{"platform":7,x'],
    ['another top level', '[]'],
    ['a depth over 8', `{"x":${'['.repeat(9)}${']'.repeat(9)}}`],
  ])('ends at %s', (_name, body) => {
    const { event, problems } = inspectEvent(Buffer.from(body), nowMs);
    expect(event).toBeUndefined();
    const parsed = parseEvent(Buffer.from(body), nowMs);
    expect(parsed).toEqual({ ok: false, problem: problems[0] });
  });
});

describe('parseEvent compared with the documented DTO', () => {
  beforeAll(() => jest.useFakeTimers({ now: nowMs }));
  afterAll(() => jest.useRealTimers());

  it('accepts what the DTO accepts and refuses what it refuses', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.constantFrom(
        '',
        ' ',
        '\u00a0',
        '\ufeff',
        'a\0b',
        '\ud800',
        '\udc00x',
        'é'.repeat(127),
        'é'.repeat(128),
        'x'.repeat(255),
        'x'.repeat(256),
      ),
      fc.constantFrom('acme', 'deposit', '__proto__'),
    );
    const odd = fc.constantFrom<unknown>(null, true, 7, [], {}, 'text', undefined);
    const often = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
      fc.oneof({ weight: 12, arbitrary }, { weight: 1, arbitrary: odd });
    const attribute = fc.record({ name: often(text), value: often(text) });
    const event = fc.record({
      id: often(text),
      name: often(text),
      created_at: often(
        fc.oneof(
          fc.integer({ min: -2, max: nowS + 400 }),
          fc.constantFrom(0.5, nowS + 300, nowS + 301, nowMs, 2 ** 60),
        ),
      ),
      attributes: often(fc.array(often(attribute), { maxLength: 3 })),
    });
    const body = fc.record({ platform_user_id: often(text), platform: often(text), event: often(event) });
    let accepted = 0;
    fc.assert(
      fc.property(body, (sent) => {
        const json = JSON.stringify(sent);
        const dto = plainToInstance(SendEventDto, JSON.parse(json) as object);
        const dtoAccepts = validateSync(dto).length === 0;
        if (dtoAccepts) accepted++;
        const parsed = parseEvent(Buffer.from(json), nowMs);
        expect(parsed.ok).toBe(dtoAccepts);
        // The inspection finds the same first problem, and reads the same event where there is none.
        const { event: inspected, problems } = inspectEvent(Buffer.from(json), nowMs);
        if (parsed.ok) expect([inspected, problems]).toEqual([parsed.event, []]);
        else expect(problems[0]).toEqual(parsed.problem);
      }),
      { numRuns: 6000 },
    );
    // Otherwise the property would not test acceptance.
    expect(accepted).toBeGreaterThan(100);
  });
});

function attributes(count: number): { name: string; value: string }[] {
  return Array.from({ length: count }, (_, index) => ({ name: `a${index}`, value: '' }));
}

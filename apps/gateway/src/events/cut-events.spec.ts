import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { cutEvents, otherMembers } from './cut-events';

const cut = (text: string, max = 100): string[] | string => {
  const result = cutEvents(Buffer.from(text), max);
  return result.ok ? result.events.map(String) : result.problem;
};

describe('cutEvents', () => {
  it.each<[string, string, string[]]>([
    ['one event', '{"events":[{"a":1}]}', ['{"a":1}']],
    ['white space outside', ' \n{\t"events" :\r[ {"a": 1 } ,{} ] } \n', ['{"a": 1 }', '{}']],
    ['brackets in strings', '{"events":[{"a":"]}[{,"},{"b":"\\"}]"}]}', ['{"a":"]}[{,"}', '{"b":"\\"}]"}']],
    ['a backslash at the end of a string', '{"events":[{"a":"\\\\"},{}]}', ['{"a":"\\\\"}', '{}']],
    [
      'values that are no objects',
      '{"events":[1,"x",null,[[]],-1e5,true]}',
      ['1', '"x"', 'null', '[[]]', '-1e5', 'true'],
    ],
    ['duplicate names in an event', '{"events":[{"a":1,"a":2}]}', ['{"a":1,"a":2}']],
    ['an escaped name', '{"\\u0065vents":[{}]}', ['{}']],
    ['other members', '{"events":[{}],"x":{"events":[1]},"__proto__":[1,{"y":"]"}]}', ['{}']],
    ['an event of the wrong form, which has an answer of its own', '{"events":[{"a" 1},{}]}', ['{"a" 1}', '{}']],
    ['a literal that is none', '{"events":[nul]}', ['nul']],
    [
      'very deep nesting',
      `{"events":[${'['.repeat(9_000)}${']'.repeat(9_000)}]}`,
      ['['.repeat(9_000) + ']'.repeat(9_000)],
    ],
  ])('cuts %s', (_name, text, events) => expect(cut(text)).toEqual(events));

  it.each<[string, string, string]>([
    ['nothing', '', 'The body is empty.'],
    ['blanks', ' \r\n', 'The body is empty.'],
    ['an array', ' [{}]', 'The body is an array. Send an object that contains it: {"events": […]}.'],
    ['text', 'events', 'The body is not a JSON object.'],
    ['a byte order mark', '\uFEFF{"events":[{}]}', 'The body begins with a byte order mark, which JSON does not have.'],
    ['the beginning of a byte order mark', '\uFEC0{"events":[{}]}', 'The body is not a JSON object.'],
    ['no events', '{}', 'events is missing.'],
    ['no events beside others', '{"event":[{}]}', 'events is missing.'],
    ['an empty list', '{"events":[ ]}', 'events is empty.'],
    ['another type', '{"events":{"a":1}}', 'events must be an array.'],
    ['null', '{"events":null}', 'events must be an array.'],
    ['events twice', '{"events":[{}],"events":[{}]}', 'events is given twice.'],
    ['events twice, once escaped', '{"events":[{}],"event\\u0073":[{}]}', 'events is given twice.'],
    ['another member twice', '{"events":[{}],"x":1,"x":2}', '"x" is given twice.'],
    ['a comma at the end', '{"events":[{},]}', 'The body is not JSON: see byte 15.'],
    ['two commas', '{"events":[{},,{}]}', 'The body is not JSON: see byte 15.'],
    ['no comma', '{"events":[{}{}]}', 'The body is not JSON: see byte 14.'],
    ['an unclosed event', '{"events":[{"a":1]', 'The body is not JSON: it ends too early.'],
    ['an unclosed string', '{"events":[{"a":"]}', 'The body is not JSON: it ends too early.'],
    ['bytes after the end', '{"events":[{}]}x', 'The body is not JSON: see byte 16.'],
    ['another member that is not JSON', '{"x":{"a" 1},"events":[{}]}', 'The body is not JSON: see byte 13.'],
    ['a name without quotes', '{events:[{}]}', 'The body is not JSON: see byte 2.'],
  ])('refuses %s', (_name, text, problem) => expect(cut(text)).toBe(problem));

  it('takes as many as allowed, and reads no further', () => {
    expect(cut('{"events":[1,2]}', 2)).toEqual(['1', '2']);
    expect(cut('{"events":[1,2,3,{', 2)).toBe('events holds more than 2 events; send them in several requests.');
  });

  const { max, maxBytes } = otherMembers;
  const members = (count: number): string => Array.from({ length: count }, (_, at) => `"${at}":0,`).join('');
  const tooMany = `The body has more than ${max} members beside events.`;
  const tooLarge = `The members beside events have more than ${maxBytes} bytes.`;
  const filled = `"a":"${'x'.repeat(maxBytes - 5)}"`;

  it.each<[string, string, string[] | string]>([
    ['as many as allowed', `{${members(max)}"events":[{}]}`, ['{}']],
    ['one more', `{${members(max + 1)}"events":[{}]}`, tooMany],
    ['more behind the events', `{${members(max)}"events":[{}],"x":0}`, tooMany],
    ['as many bytes as allowed', `{${filled},"events":[{}]}`, ['{}']],
    ['one byte more', `{${filled.replace('a', 'aa')},"events":[{}]}`, tooLarge],
    ['a long name', `{"${'x'.repeat(maxBytes)}":0,"events":[{}]}`, tooLarge],
    ['several that are too large together', `{"b":0,${filled},"events":[{}]}`, tooLarge],
  ])('limits the members beside events: %s', (_name, text, result) => expect(cut(text)).toEqual(result));

  it('parses no member beside events that is above the limit', () => {
    const parse = jest.spyOn(JSON, 'parse');
    try {
      expect(cut(`{"a":${'['.repeat(maxBytes)}${']'.repeat(maxBytes)},"events":[{}]}`)).toBe(tooLarge);
      expect(parse.mock.calls).toEqual([['"a"']]);
      parse.mockClear();
      expect(cut(`{${members(50_000)}"events":[{}]}`)).toBe(tooMany);
      expect(parse.mock.calls.length).toBeLessThan(2 * max + 2);
    } finally {
      parse.mockRestore();
    }
  });

  const space = fc.stringMatching(/^[ \t\n\r]{0,2}$/);
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', '\u2028', '\0', '😀', '\ud800', 'é') }),
  );
  const { value: json } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.oneof(text.map(jsonText), fc.constantFrom('null', 'true', '0', '-1.5e+3', '"\\ud800"', '1e999', '"\\u0000"')),
      fc.tuple(fc.array(tie('value'), { maxLength: 4 }), space).map(([all, gap]) => `[${all.join(`${gap},${gap}`)}]`),
      fc
        .tuple(
          fc.array(
            fc.tuple(fc.oneof(fc.constantFrom('"a"', '"__proto__"', '"\\u0061"'), text.map(jsonText)), tie('value')),
            { maxLength: 4 },
          ),
          space,
        )
        .map(([all, gap]) => `{${all.map(([name, value]) => `${name}${gap}:${gap}${String(value)}`).join(`,${gap}`)}}`),
    ),
  })) as { value: fc.Arbitrary<string> };
  const bodies = fc
    .tuple(
      fc.array(json, { minLength: 1, maxLength: 6 }),
      fc.option(
        json.filter((other) => Buffer.byteLength(other) < maxBytes - 100),
        { nil: undefined },
      ),
      fc.array(space, { minLength: 4, maxLength: 4 }),
      fc.boolean(),
    )
    .map(([events, other, [a, b, c, d], isLast]) => {
      const list = `"events"${a}:${b}[${c}${events.join(`${d},${a}`)}${b}]`;
      const all = other === undefined ? [list] : isLast ? [`"other":${other}`, list] : [list, `"other":${other}`];
      return { events, body: `${c}{${a}${all.join(`${b},${c}`)}${d}}${a}` };
    });

  it('cuts each event out of any JSON as it was written', () => {
    fc.assert(
      fc.property(bodies, ({ events, body }) => {
        expect(cut(body)).toEqual(events.map((event) => Buffer.from(event).toString()));
        expect((JSON.parse(body) as { events: unknown }).events).toEqual(
          events.map((event) => JSON.parse(event) as unknown),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it('never takes other bytes for a body whose events are all JSON', () => {
    const changes = fc.array(
      fc.record({
        at: fc.nat(),
        deleted: fc.nat({ max: 3 }),
        put: fc.oneof(fc.constantFrom(...'"\\{}[],: e'), fc.uint8Array({ maxLength: 2 })),
      }),
      { minLength: 1, maxLength: 3 },
    );
    let kept = 0;
    fc.assert(
      fc.property(bodies, changes, ({ body }, list) => {
        let bytes = Buffer.from(body);
        for (const { at, deleted, put } of list) {
          const place = at % (bytes.length + 1);
          bytes = Buffer.concat([
            bytes.subarray(0, place),
            Buffer.from(put as string),
            bytes.subarray(place + deleted),
          ]);
        }
        const result = cutEvents(bytes, 100);
        const whole = parsed(bytes);
        if (!result.ok) return;
        const events = result.events.map(parsed);
        if (events.includes(undefined)) return;
        kept += 1;
        expect((whole as { events: unknown }).events).toEqual(events);
      }),
      { numRuns: 4_000 },
    );
    // About 240 are, with a standard deviation of 15.
    expect(kept).toBeGreaterThan(140);
  });
});

function jsonText(value: string): string {
  return JSON.stringify(value);
}

/** The value of bytes that are JSON in UTF-8, otherwise undefined. */
function parsed(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

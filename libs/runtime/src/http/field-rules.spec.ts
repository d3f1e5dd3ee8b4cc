import { CodedError } from '@podium/messages';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsString } from 'class-validator';
import { IsNested, IsNestedList, IsOpaqueId, IsPlainText, IsTime } from './field-rules';
import { dtoPipe } from './validation.pipe';

class Part {
  @IsString()
  name: string;
}

class Whole {
  @IsNested()
  @Type(() => Part)
  part: Part;

  @IsNestedList()
  @ArrayMaxSize(2)
  @Type(() => Part)
  parts: Part[];
}

class Named {
  @IsPlainText(12)
  name: string;
}

class Timed {
  @IsTime()
  at: string;
}

describe('a time of a body', () => {
  const problemOf = (at: unknown): Promise<string | null> =>
    dtoPipe()
      .transform({ at }, { type: 'body', metatype: Timed })
      .then(
        () => null,
        (error: CodedError) => error.message,
      );

  it.each([
    '2030-01-31T12:00:00Z',
    '2030-01-31T12:00:00.123456Z',
    '2030-01-31t12:00:00+02:00',
    '2028-02-29T00:00:00-11:30',
    '9999-12-31T23:59:59Z',
  ])('may be %s', async (at) => {
    expect(await problemOf(at)).toBeNull();
  });

  it.each([
    ...['2030-01-31T12:00:00', '2030-01-31', '2030-W05-4T12:00:00Z', '2030-01-31 12:00:00Z', '2030-01-31T12:00Z'],
    ...['2030-02-29T12:00:00Z', '2030-01-31T24:00:00Z', '2030-01-31T12:00:60Z', '2030-01-31T12:00:00+24:00'],
    ...[
      '9999-12-31T23:59:59-00:01',
      '+012030-01-31T12:00:00Z',
      'soon',
      '',
      null,
      1_900_000_000,
      ['2030-01-31T12:00:00Z'],
    ],
  ])('is refused as %j', async (at) => {
    expect(await problemOf(at)).toBe('at: must be a time with its offset, such as 2030-01-31T12:00:00Z');
  });
});

describe('nested objects of a body', () => {
  const part = { name: 'n' };
  const problemOf = (body: object): Promise<string | null> =>
    dtoPipe()
      .transform(body, { type: 'body', metatype: Whole })
      .then(
        () => null,
        (error: CodedError) => error.message,
      );

  it('are accepted with the fields of their class', async () => {
    expect(await problemOf({ part, parts: [part] })).toBeNull();
    expect(await problemOf({ part, parts: [] })).toBeNull();
  });

  it.each([undefined, null, [], [[]], [part], 'text', 1])('refuse %j as an object', async (given) => {
    expect(await problemOf({ part: given, parts: [] })).toMatch(/^part\b/);
  });

  it.each([undefined, null, part, 'text', [[]], [[part]], [null], ['text'], [part, part, part]])(
    'refuse %j as a list',
    async (given) => {
      expect(await problemOf({ part, parts: given })).toMatch(/^parts\b/);
    },
  );

  it('are refused with the path of what is wrong inside', async () => {
    expect(await problemOf({ part: { name: 1 }, parts: [] })).toMatch(/^part\.name: /);
    expect(await problemOf({ part, parts: [part, {}] })).toMatch(/^parts\[1\]\.name: /);
  });
});

class Identified {
  @IsOpaqueId(8)
  id: string;
}

describe('an id of another system', () => {
  const accepted = (id: unknown): Promise<unknown> =>
    dtoPipe()
      .transform({ id }, { type: 'body', metatype: Identified })
      .then(
        ({ id: given }: Identified) => given,
        (error: CodedError) => error.message.slice(0, 2),
      );

  it.each(['a', 'a\tb', '\u0001\u007f', ' a ', '\u00e4\u00e4\u00e4\u00e4', '\u{1f600}\u{1f600}'])(
    'is %j, unchanged',
    async (id) => {
      expect(await accepted(id)).toBe(id);
    },
  );

  it.each([undefined, null, 1, ['a'], '', ' \t', 'a\0b', 'a\ud800', '\u00e4\u00e4\u00e4\u00e4a', '123456789'])(
    'is not %j',
    async (id) => {
      expect(await accepted(id)).toBe('id');
    },
  );
});

describe('a plain text of a body', () => {
  const problemOf = (name: unknown): Promise<string | null> =>
    dtoPipe()
      .transform({ name }, { type: 'body', metatype: Named })
      .then(
        () => null,
        (error: CodedError) => error.message,
      );

  it.each(['Bonus', 'a b', 'é'.repeat(6), 'שלום', '\u200fשלום', '👩\u200d🚀'])('may be %j', async (name) => {
    expect(await problemOf(name)).toBeNull();
  });

  it.each([
    ...['', ' ', 'a\nb', 'a\u007f', '\ud800', 'é'.repeat(7), 1, null],
    // What follows these is shown in another order: "5 EUR" as "RUE 5".
    ...['5 \u202eEUR', '\u202aa', '\u2066a', 'a\u2069', 'a\u2028b', 'a\u2029b'],
  ])('is refused as %j', async (name) => {
    expect(await problemOf(name)).toBe(
      'name: must be a text of 1 to 12 bytes, not blank, without control characters, line separators and marks of direction',
    );
  });
});

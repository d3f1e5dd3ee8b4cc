import { CodedError } from '@podium/messages';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsString } from 'class-validator';
import { IsNested, IsNestedList } from './field-rules';
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
    expect(await problemOf({ part, parts: [part, {}] })).toMatch(/^parts\.1\.name: /);
  });
});

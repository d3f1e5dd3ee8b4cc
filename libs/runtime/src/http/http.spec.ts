import { BadRequestException, NotFoundException } from '@nestjs/common';
import { CodedError } from '@podium/messages';
import { IsIn, IsInt, IsString } from 'class-validator';
import { toCodedError } from './coded-error.filter';
import { InternalToken } from './internal-token';
import { OperatorRole, mayActFor, operatorOf, requireRole, visibleOrganizers } from './operator-rights';
import { fixed } from '../config';
import { CursorPart, PageQuery, keyInCursor, pageOf } from './page';
import { dtoPipe } from './validation.pipe';

describe('toCodedError', () => {
  it.each([
    [new CodedError('conflict'), 'conflict', 409],
    [new NotFoundException(), 'not_found', 404],
    [new BadRequestException(), 'invalid_request', 400],
    [Object.assign(new Error('x'), { statusCode: 413 }), 'payload_too_large', 413],
    [new Error('select secret from table'), 'internal_error', 500],
    ['thrown text', 'internal_error', 500],
    [new Error('timeout exceeded when trying to connect'), 'unavailable', 503],
    [Object.assign(new Error('terminating connection'), { code: '57P01' }), 'unavailable', 503],
    [Object.assign(new Error('null value in column'), { code: '23502' }), 'internal_error', 500],
  ])('codes %p', (thrown, code, status) => {
    const error = toCodedError(thrown);
    expect([error.code, error.status]).toEqual([code, status]);
    expect(error.message).not.toContain('secret');
  });
});

describe('InternalToken', () => {
  it('accepts both tokens of a rotation and nothing else', () => {
    const token = new InternalToken(fixed(['new', 'old']));
    expect(() => token.require('new')).not.toThrow();
    expect(() => token.require('old')).not.toThrow();
    expect(() => token.require('next, old')).not.toThrow();
    for (const wrong of ['other', '', undefined, ['new'], 'next,other', ','])
      expect(() => token.require(wrong)).toThrow(CodedError);
  });

  it('allows gateway and service to rotate in any order, and then refuses the old token', () => {
    const stages = [['old'], ['new', 'old'], ['new']];
    for (const [sent, known] of [
      [0, 1],
      [1, 0],
      [1, 2],
      [2, 1],
    ]) {
      const { header } = new InternalToken(fixed(stages[sent]));
      expect(() => new InternalToken(fixed(stages[known])).require(header)).not.toThrow();
    }
    expect(() => new InternalToken(fixed(['new'])).require('old')).toThrow(CodedError);
  });
});

describe('operator roles', () => {
  const operator = operatorOf({ sub: 'op', podium_roles: { eu: 'editor', us: 'viewer', bad: 'root' } });

  it('apply per organizer and include the lower roles', () => {
    expect(mayActFor(operator, 'eu', 'viewer')).toBe(true);
    expect(mayActFor(operator, 'eu', 'admin')).toBe(false);
    expect(mayActFor(operator, 'bad', 'viewer')).toBe(false);
    expect(() => requireRole(operator, 'us', 'editor')).toThrow('This needs the role editor for the organizer.');
    expect(visibleOrganizers(operator)).toEqual(['eu', 'us']);
    expect(visibleOrganizers(operatorOf({ sub: 'op', podium_roles: { '*': 'viewer' } }))).toBe('all');
  });

  it('are several where the token lists them; only approver approves, and it changes nothing else', () => {
    const both = operatorOf({
      sub: 'op',
      podium_roles: { eu: ['editor', 'approver', 'root'], us: 'approver', uk: 'admin' },
    });
    expect(
      ['editor', 'approver', 'viewer', 'admin'].map((role) => mayActFor(both, 'eu', role as OperatorRole)),
    ).toEqual([true, true, true, false]);
    expect([mayActFor(both, 'us', 'viewer'), mayActFor(both, 'us', 'editor')]).toEqual([true, false]);
    expect(() => requireRole(both, 'uk', 'approver')).toThrow(/role approver/);
    expect(() => operatorOf({ sub: 'op', podium_roles: { eu: [], us: ['root', 'toString'] } })).toThrow(CodedError);
  });

  it('are required to be an operator', () => {
    expect(() => operatorOf({ sub: 'user' })).toThrow(CodedError);
    expect(() => operatorOf({ sub: 'user', podium_roles: 'admin' })).toThrow(CodedError);
  });
});

class NameDto {
  @IsString()
  name: string;

  @IsInt()
  size: number;
}

class PageDto extends PageQuery {
  @IsIn(['a', 'b'])
  @IsString()
  order: string = 'a';
}

describe('the cursor of a page', () => {
  it('is taken back whatever the texts of its key, of which partners choose two of 255 bytes', async () => {
    const key = ['2026-11-28', '\u0001'.repeat(255), '"'.repeat(255)];
    const { next_cursor: cursor } = pageOf(
      [key, key],
      1,
      (row) => row,
      () => null,
    );
    const query = (await dtoPipe().transform({ cursor }, { type: 'query', metatype: PageQuery })) as PageQuery;
    expect(keyInCursor(query.cursor, ['string', 'string', 'string'])).toEqual(key);
  });

  it.each<[CursorPart, unknown, boolean]>([
    ['number', -(2 ** 53) + 1, true],
    ['number', 2 ** 53, false],
    ['int32', 2 ** 31 - 1, true],
    ['int32', 2 ** 31, false],
    ['timeMs', 0, true],
    ['timeMs', 253_402_300_799_999, true],
    ['timeMs', 253_402_300_800_000, false],
    ['timeMs', -1, false],
    ['timeMs', 0.5, false],
    ['uuid', '00000000-0000-4000-8000-00000000000A', true],
    ['uuid', '-'.repeat(36), false],
    ['string', 'x', true],
    ['string', '\0', false],
    ['string', 1, false],
  ])('has a %s such as %j: %s', (part, value, isOne) => {
    const read = () => keyInCursor(Buffer.from(JSON.stringify([value])).toString('base64url'), [part]);
    if (isOne) expect(read()).toEqual([value]);
    else expect(read).toThrow('cursor: send next_cursor of a page, or cursor of a line of an export, unchanged');
  });
});

describe('dtoPipe', () => {
  it.each<[string, object, string]>([
    ['a number that is too large', { limit: '101' }, 'limit: must not be greater than 100'],
    ['a number that is too small', { limit: '0' }, 'limit: must not be less than 1'],
    ['a text where a number belongs', { limit: 'x' }, 'limit: must be a whole number from 1 to 100'],
    ['a number that is given twice', { limit: ['1', '2'] }, 'limit: must be a whole number from 1 to 100'],
    ['a list where a text belongs', { order: ['a'] }, 'order: must be a string'],
    ['another text', { order: 'c' }, 'order: must be one of the following values: a, b'],
    ['an unknown field', { more: '1' }, 'more: is unknown; known fields are order, limit, cursor'],
    ['a name that every object has', { toString: '1' }, 'toString: is unknown; leave it out'],
  ])('says what is wrong with %s', async (_what, value, message) => {
    const given = dtoPipe().transform(value, { type: 'query', metatype: PageDto });
    await expect(given).rejects.toMatchObject({ code: 'invalid_request', message });
  });

  it('names the field and refuses unknown ones', async () => {
    const run = (value: unknown): Promise<unknown> => dtoPipe().transform(value, { type: 'body', metatype: NameDto });
    await expect(run({ name: 'a', size: 1 })).resolves.toBeInstanceOf(NameDto);
    await expect(run({ name: 'a', size: 'x' })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('size'),
    });
    await expect(run({ name: 'a', size: 1, more: 1 })).rejects.toThrow(/more/);
    await expect(run({ name: 'a', size: 1, hasOwnProperty: 1 })).rejects.toThrow('hasOwnProperty: is unknown');
    const parts: unknown = JSON.parse('[{"size":1},{"size":2,"valueOf":3}]');
    await expect(run({ name: parts, size: 1 })).rejects.toThrow('name[1].valueOf: is unknown');
  });

  it.each(['{"a":', '['])('refuses a body that is nested too deeply to validate: %s', async (open) => {
    const close = open === '[' ? ']' : '}';
    const nested = (depth: number): unknown => JSON.parse(`${open.repeat(depth)}1${close.repeat(depth)}`);
    const run = (name: unknown): Promise<unknown> =>
      dtoPipe().transform({ name, size: 1 }, { type: 'body', metatype: NameDto });
    await expect(run(nested(10_000))).rejects.toThrow('nested deeper than 64 levels');
    await expect(run(nested(64))).rejects.toThrow('nested deeper than 64 levels');
    await expect(run(nested(63))).rejects.toThrow('name');
  });
});

import { applyDecorators } from '@nestjs/common';
import { parseTyped } from '@podium/messages';
import { IsArray, IsObject, ValidateBy, ValidateIf, ValidateNested } from 'class-validator';

/** Skips the other rules of a field when it is omitted; unlike `IsOptional`, null is validated. */
export function IfGiven(): PropertyDecorator {
  return ValidateIf((_object, value) => value !== undefined);
}

/**
 * An object whose own rules apply; its class is stated by `Type`. `ValidateNested` alone takes a list for its elements, so
 * that an empty list would pass without any rule.
 */
export function IsNested(): PropertyDecorator {
  return applyDecorators(IsObject(), ValidateNested());
}

/** A list of such objects, not of lists of them. */
export function IsNestedList(): PropertyDecorator {
  return applyDecorators(IsArray(), IsObject({ each: true }), ValidateNested({ each: true }));
}

/** A text of 1 to `maxBytes` UTF-8 bytes, as `isPlainText` says. */
export function IsPlainText(maxBytes: number): PropertyDecorator {
  return ValidateBy({
    name: 'isPlainText',
    validator: {
      validate: (value) => isPlainText(value, maxBytes),
      defaultMessage: () => plainTextRule(maxBytes),
    },
  });
}

/**
 * An id that another system made, compared byte for byte: a text of 1 to `maxBytes` UTF-8 bytes that is not blank and has no NUL
 * or unpaired surrogate, which Postgres does not store. Other control characters are part of it.
 */
export function IsOpaqueId(maxBytes: number): PropertyDecorator {
  return ValidateBy({
    name: 'isOpaqueId',
    validator: {
      validate: (value) => isOpaqueId(value, maxBytes),
      defaultMessage: () => `must be an id of 1 to ${maxBytes} bytes, not blank, without NUL`,
    },
  });
}

/**
 * A time with its offset (RFC 3339), `date-time` of OpenAPI: without the offset it would be a time of the zone of this process. It
 * is one of the years 0000 to 9999 in UTC, so that it can be shown in the same form.
 */
export function IsTime(): PropertyDecorator {
  return ValidateBy({
    name: 'isTime',
    validator: {
      validate: isTime,
      defaultMessage: () => 'must be a time with its offset, such as 2030-01-31T12:00:00Z',
    },
  });
}

function isTime(value: unknown): boolean {
  // A timestamp may be Unix seconds too.
  if (typeof value !== 'string' || !/t/i.test(value) || parseTyped('timestamp', value) === null) return false;
  return /^\d{4}-/.test(new Date(value.toUpperCase()).toISOString());
}

function isOpaqueId(value: unknown, maxBytes: number): value is string {
  return (
    typeof value === 'string' &&
    value.trim() !== '' &&
    value.isWellFormed() &&
    !value.includes('\0') &&
    Buffer.byteLength(value) <= maxBytes
  );
}

/**
 * Whether a value is a text of 1 to `maxBytes` UTF-8 bytes that is not blank, and has no control characters, unpaired surrogates, line
 * separators or marks that override a direction: after one of these a page or a terminal shows what follows in another order.
 */
export function isPlainText(value: unknown, maxBytes: number): value is string {
  return (
    typeof value === 'string' &&
    value.trim() !== '' &&
    !/\p{Surrogate}/u.test(value) &&
    !/[\u0000-\u001f\u007f\u2028\u2029\u202a-\u202e\u2066-\u2069]/.test(value) &&
    Buffer.byteLength(value) <= maxBytes
  );
}

/** What `isPlainText` demands, for messages. */
export function plainTextRule(maxBytes: number): string {
  return `must be a text of 1 to ${maxBytes} bytes, not blank, without control characters, line separators and marks of direction`;
}

import { PipeTransform } from '@nestjs/common';
import { CodedError } from '@podium/messages';

/** Whether a text is a UUID of any version (RFC 9562), in either case. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** A UUID from a path, in lower case; any other text is `not_found`. */
export class UuidPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (!isUuid(value)) throw new CodedError('not_found');
    return value.toLowerCase();
  }
}

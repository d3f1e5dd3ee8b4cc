import { PipeTransform } from '@nestjs/common';
import { CodedError } from '@podium/messages';

/** An opaque id in a path, compared byte for byte; an impossible one (empty, over 255 bytes, NUL) answers `not_found`. */
export class OpaqueIdPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    const isId =
      value !== '' && Buffer.byteLength(value) <= 255 && !/\p{Surrogate}/u.test(value) && !value.includes('\0');
    if (!isId) throw new CodedError('not_found');
    return value;
  }
}

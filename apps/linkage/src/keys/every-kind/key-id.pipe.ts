import { PipeTransform } from '@nestjs/common';
import { CodedError } from '@podium/messages';

/** Checks the key id of a path; any other format is `not_found`. */
export class KeyIdPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (!/^[0-9a-z]{16}$/.test(value)) throw new CodedError('not_found');
    return value;
  }
}

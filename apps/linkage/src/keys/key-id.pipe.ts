import { PipeTransform } from '@nestjs/common';
import { CodedError } from '@podium/messages';

/** A path's key id; what has another form is the id of nothing. */
export class KeyIdPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (!/^[0-9a-z]{16}$/.test(value)) throw new CodedError('not_found');
    return value;
  }
}

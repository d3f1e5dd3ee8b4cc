import { PipeTransform } from '@nestjs/common';
import { CodedError } from '@podium/messages';

/** A path's erasure id; what is no UUID is the id of nothing. */
export class ErasureIdPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)) throw new CodedError('not_found');
    return value.toLowerCase();
  }
}

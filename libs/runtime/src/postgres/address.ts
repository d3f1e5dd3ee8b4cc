import { Live } from '../config';

/** The address of the moment. */
export function presentUrl(url: string | Live<string>): string {
  return typeof url === 'string' ? url : url.current;
}

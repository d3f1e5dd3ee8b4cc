import { Live } from '../config';

/** The current value of an address. */
export function presentUrl(url: string | Live<string>): string {
  return typeof url === 'string' ? url : url.current;
}

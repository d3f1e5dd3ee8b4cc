import { readFileSync } from 'node:fs';
import { ConnectionOptions } from 'node:tls';
import { Logger } from '../log';

/**
 * TLS that trusts the authority in a file alone, read at each connection: a service may start before the file is there, and a
 * new authority needs no restart. Nobody is trusted while the file cannot be read.
 */
export function authorityOf(file: string, logger: Logger): ConnectionOptions {
  let isUnreadable = false;
  return {
    get ca() {
      try {
        const authority = readFileSync(file, 'utf8');
        isUnreadable = false;
        return [authority];
      } catch (error) {
        if (!isUnreadable) logger.warn({ err: (error as Error).message }, 'the authority of Redis cannot be read');
        isUnreadable = true;
        return [];
      }
    },
  };
}

import { Health } from '../health';
import { Logger } from '../log';

/**
 * Reports failures of the parts of a process as long as it runs. Once it stops, they change nothing: what the stop has broken
 * off (`AbortError`) is no failure, and any other error is only logged.
 */
export function unlessStopping(
  report: (error: Error) => void,
  { health, logger }: { readonly health: Health; readonly logger: Pick<Logger, 'warn'> },
): (error: Error) => void {
  return (error) => {
    if (!health.isDraining()) report(error);
    else if (error.name !== 'AbortError') logger.warn({ err: error }, 'a part failed while the process stops');
  };
}

import { Agent, DecoratorHandler, Dispatcher } from 'undici';
import { Deadline } from './deadline';

/** The deadline passed before there was a connection. */
export class ConnectDeadlineError extends Error {
  readonly code = 'CONNECT_DEADLINE';
}

/** A request that failed before it began on a connection, so that nothing was sent. */
export class NothingSentError extends Error {
  constructor(override readonly cause: unknown) {
    super('nothing was sent');
  }
}

/**
 * A request that ends by its signal in every phase. undici watches the signal only once there is a connection: while a
 * TCP or TLS handshake hangs, only its own connect timeout would end the request. One that has not begun by then is dropped,
 * and rejects with `NothingSentError`, as every failure before a request begins. The deadline, that of the signal, is looked at
 * once more when it begins: after a pause of the process a new connection is reported before the signal.
 */
export function requestOnTime(
  agent: Agent,
  { signal, deadline }: { readonly signal: AbortSignal; readonly deadline: Deadline },
  options: Dispatcher.RequestOptions,
): Promise<Dispatcher.ResponseData> {
  let hasBegun = false;
  const begin = (): void => {
    if (deadline.leftMs() === 0) throw new ConnectDeadlineError('no connection in time');
    hasBegun = true;
  };
  const noting = agent.compose((dispatch) => (request, handler) => dispatch(request, new BeginHandler(handler, begin)));
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => reject(hasBegun ? error : new NothingSentError(error));
    const onAbort = (): void => fail(hasBegun ? signal.reason : new ConnectDeadlineError('no connection in time'));
    signal.addEventListener('abort', onAbort, { once: true });
    noting.request({ ...options, signal }).then(resolve, fail);
  });
}

/** What is used of undici's class, which passes every call on; its types leave the methods out. */
interface PassingHandler {
  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void;
  onResponseStart(...response: ResponseStart): void;
}
type ResponseStart = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>;
const PassingHandler = DecoratorHandler as unknown as new (handler: Dispatcher.DispatchHandler) => PassingHandler;

/** Tells when a request begins on its connection; what `onBegin` throws is its failure, and nothing is sent. */
class BeginHandler extends PassingHandler {
  constructor(
    handler: Dispatcher.DispatchHandler,
    private readonly onBegin: () => void,
  ) {
    super(handler);
  }

  override onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.onBegin();
    super.onRequestStart(controller, context);
  }

  /**
   * Informational responses such as 103 precede the response (RFC 9110, section 15.2); undici's class fails at a second start. Its parser
   * ends a connection with an unasked 100 before this is called.
   */
  override onResponseStart(...response: ResponseStart): void {
    const [, status] = response;
    if (status >= 200) super.onResponseStart(...response);
  }
}

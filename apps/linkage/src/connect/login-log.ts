import type { Logger } from '@podium/runtime/log';

/** Says why log-ins fail, without what the identity provider's answers hold. */
export class LoginLog {
  constructor(private readonly logger: Logger) {}

  /** Only code and message of an error: its cause may carry a token answer. */
  failed(error: unknown): void {
    const { code, message, error: providerError } = error as { code?: unknown; message?: unknown; error?: unknown };
    this.logger.warn(
      { reason: message, error_code: code, provider_error: providerError },
      'a log-in at /connect failed',
    );
  }
}

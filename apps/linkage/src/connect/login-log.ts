import type { Logger } from '@podium/runtime/log';
import { partnerErrorCode } from '../partner-client/partner-error-code';

/** Says why log-ins fail, without what the identity provider's answers hold. */
export class LoginLog {
  constructor(private readonly logger: Logger) {}

  /** Only code and message of an error: its cause may carry a token answer, and its `error` what an address said. */
  failed(error: unknown): void {
    const { code, message, error: providerError } = error as { code?: unknown; message?: unknown; error?: unknown };
    this.logger.warn(
      { reason: message, error_code: code, provider_error: partnerErrorCode(providerError) },
      'a log-in at /connect failed',
    );
  }
}

import type { Logger } from '@podium/runtime/log';
import { partnerErrorCode } from '@podium/partner-check/protocol/partner-error-code';

/** Logs why log-ins fail, without the content of the identity provider's responses. */
export class LoginLog {
  constructor(private readonly logger: Logger) {}

  /** Logs only code and message of an error: its cause may contain a token response, and its `error` any text of a URL. */
  failed(error: unknown): void {
    this.logger.warn(fieldsOf(error), 'a log-in at /connect failed');
  }

  logOutFailed(error: unknown): void {
    this.logger.warn(fieldsOf(error), 'a log-out at /connect did not end the session at the identity provider');
  }
}

function fieldsOf(error: unknown): object {
  const { code, message, error: providerError } = error as { code?: unknown; message?: unknown; error?: unknown };
  return { reason: message, error_code: code, provider_error: partnerErrorCode(providerError) };
}

import type { CheckAnswer, CheckRequest, CheckTransport } from '@podium/partner-check';
import { PartnerHttp } from '../partner-client/partner-http';

/** The check's requests through the guarded HTTP client: the same rules for addresses and limits as for links. */
export class GuardedTransport implements CheckTransport {
  constructor(
    private readonly http: PartnerHttp,
    /** Names the connections to use. */
    private readonly platform: string,
    /** Ends the check: a request under way is not waited for. */
    private readonly stopping: AbortSignal,
  ) {}

  /** Throws the reason of the stop. */
  async send(request: CheckRequest): Promise<CheckAnswer> {
    this.stopping.throwIfAborted();
    const result = await this.http.send({ ...request, platform: this.platform, signal: this.stopping });
    this.stopping.throwIfAborted();
    if (result.ok) {
      const { status, headers, challenge, body } = result.value;
      const challenges = challenge === undefined ? [] : [['www-authenticate', challenge] as const];
      return { ok: true, status, headers: new Map([...headers, ...challenges]), body };
    }
    const { reason, fault, status } = result;
    const isShape = fault === 'compressed' || fault === 'size' || fault === 'http';
    return { ok: false, reason, status, ...(isShape ? { fault } : {}) };
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { errorOfAnswer } from '../api/parse-answer';
import { sdkVersion } from '../client/version';
import { NoAnswerError, PodiumError, RateLimitedError } from '../errors/podium-error';
import type { components } from '../generated/partner-events';
import { EdgeOptions, edgeAccessOf, edgeHelp } from './edge-access';
import { Terminal } from './terminal';

/** What is negotiated with the partner. */
export type Contract = components['schemas']['PartnerContractDto'];
/** A page of the partner's refused events. */
export type RefusedEventsPage = components['schemas']['RefusedEventsPageDto'];

/** The part of a command's help about address, key and exit codes. */
export const readHelp = `${edgeHelp}

Exit codes: 0 done, 1 refused or no answer, 2 wrong usage.`;

const timeoutMs = 30_000;
/** Events of the partner share the rate, so that a read may have to wait several times. */
const maxAttempts = 10;

/** Runs a command; an error of Podium is printed with its code, its page and the request id, and the exit code is 1. */
export async function reportErrors(
  terminal: Terminal,
  end: (code: number) => void,
  run: () => Promise<void>,
): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof PodiumError)) throw error;
    const { code, message, docsUrl, requestId } = error;
    const lines = [`${code}: ${message}`, docsUrl, requestId && `Request id: ${requestId}`];
    terminal.err(`${lines.filter(Boolean).join('\n')}\n`);
    end(1);
  }
}

/** What a partner reads of itself, with the address and key of the caller. */
export class EdgeReads {
  private constructor(
    private readonly send: URL,
    private readonly docsUrl: string,
    private readonly key: string,
  ) {}

  /** Throws UsageError when the address or the key is missing or cannot be used. */
  static of(options: EdgeOptions, terminal: Pick<Terminal, 'env'>): EdgeReads {
    const { addresses, key } = edgeAccessOf(options, terminal);
    return new EdgeReads(addresses.send, addresses.docsUrl, key);
  }

  contract(): Promise<Contract> {
    return this.read('contract', {}) as Promise<Contract>;
  }

  refusals(query: Readonly<Record<string, string | undefined>>): Promise<RefusedEventsPage> {
    return this.read('refusals', query) as Promise<RefusedEventsPage>;
  }

  /** The body of a 200; any other answer, or none, throws a PodiumError. Above the rate it waits as long as it is told. */
  private async read(name: string, query: Readonly<Record<string, string | undefined>>): Promise<unknown> {
    for (let attempt = 1; ; attempt++)
      try {
        return await this.readOnce(name, query);
      } catch (error) {
        if (!(error instanceof RateLimitedError) || attempt === maxAttempts) throw error;
        await sleep(error.retryAfterMs ?? 1000);
      }
  }

  private async readOnce(name: string, query: Readonly<Record<string, string | undefined>>): Promise<unknown> {
    const url = new URL(`../../${name}`, this.send);
    for (const [field, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(field, value);
    const { status, headers, text } = await this.answerOf(url);
    const body = parsed(text);
    if (status === 200 && typeof body === 'object' && body !== null) return body;
    const retryAfterS = Number(headers.get('retry-after') ?? NaN);
    const answer = {
      ...{ status, body, requestId: headers.get('x-request-id') ?? undefined },
      ...(retryAfterS > 0 && { retryAfterMs: retryAfterS * 1000 }),
    };
    throw errorOfAnswer(answer, this.docsUrl);
  }

  private async answerOf(url: URL): Promise<{ status: number; headers: Headers; text: string }> {
    try {
      const response = await fetch(url, {
        headers: { authorization: `Bearer ${this.key}`, 'user-agent': `podium-partner/${sdkVersion}` },
        // A redirect would carry the key to another address.
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      return { status: response.status, headers: response.headers, text: await response.text() };
    } catch (error) {
      const cause = error instanceof Error ? ((error.cause as Error | undefined)?.message ?? error.message) : '';
      throw new NoAnswerError({
        code: 'no_response',
        message: `No answer from ${url.origin}: ${cause}. Check the address and the network.`,
        cause: error,
      });
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { Dispatcher, Pool } from 'undici';
import { EdgeShape, SeenAnswer, faultsOf } from './response-checks';
import { InputKind, Tally } from './tally';

/** A well-framed HTTP request with content to test. */
export interface InputRequest {
  readonly kind: InputKind;
  /** The operation or case; findings are grouped by it. */
  readonly place: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly shape: EdgeShape;
  readonly statuses?: ReadonlySet<number>;
}

const connections = 32;
const answerTimeoutMs = 30_000;
const pauseBeforeRepeatMs = 1_000;

/** Sends requests and checks the responses. */
export class Sender {
  private readonly pool: Pool;

  constructor(
    url: string,
    private readonly tally: Tally,
    private readonly secrets: readonly string[],
  ) {
    this.pool = new Pool(url, { connections, headersTimeout: answerTimeoutMs, bodyTimeout: answerTimeoutMs });
  }

  async stop(): Promise<void> {
    await this.pool.close();
  }

  /** Sends a request and counts its response; problems become findings. Never rejects. */
  async send(request: InputRequest): Promise<SeenAnswer | null> {
    let answer = await this.exchange(request);
    // A busy machine may cause one 503; a repeated 503 is a finding.
    if (answer?.status === 503 || answer === null) {
      this.tally.repeated += 1;
      await sleep(pauseBeforeRepeatMs);
      answer = await this.exchange(request);
    }
    this.tally.count(request.kind, answer?.status ?? null, request.place);
    const text = asText(request);
    const faults = answer
      ? faultsOf(answer, { ...request, isHead: request.method === 'HEAD', request: text, secrets: this.secrets })
      : ['no response'];
    for (const fault of faults)
      this.tally.find(request.kind, request.place, fault, {
        request: text.slice(0, 600),
        answer: answer ? `${answer.status} ${answer.body.slice(0, 300)}` : 'none',
      });
    return answer;
  }

  private async exchange({ method, path, headers, body }: InputRequest): Promise<SeenAnswer | null> {
    try {
      const answer = await this.pool.request({ method: method as Dispatcher.HttpMethod, path, headers, body });
      return { status: answer.statusCode, headers: answer.headers, body: await answer.body.text() };
    } catch {
      return null;
    }
  }
}

/** A request as text that can be sent again; non-ASCII bytes are escaped. */
function asText({ method, path, headers, body }: InputRequest): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const content = body === undefined ? '' : body.toString('utf8');
  return [`${method} ${path}`, ...lines, content].join(' | ');
}

import { setTimeout as sleep } from 'node:timers/promises';
import { Dispatcher, Pool } from 'undici';
import { EdgeShape, SeenAnswer, faultsOf } from './judge';
import { InputKind, Tally } from './tally';

/** A well-framed request whose content is the matter. */
export interface InputRequest {
  readonly kind: InputKind;
  /** The operation or case, by which findings are told apart. */
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

/** Sends requests and measures the answers. */
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

  /** Sends a request and counts its answer; what must not be is a finding. Never rejects. */
  async send(request: InputRequest): Promise<SeenAnswer | null> {
    let answer = await this.ask(request);
    // A machine that is busy may answer 503; by a mistake of the client it is one whose repeat is 503 too.
    if (answer?.status === 503 || answer === null) {
      this.tally.repeated += 1;
      await sleep(pauseBeforeRepeatMs);
      answer = await this.ask(request);
    }
    this.tally.count(request.kind, answer?.status ?? null, request.place);
    const text = asText(request);
    const faults = answer
      ? faultsOf(answer, { ...request, isHead: request.method === 'HEAD', request: text, secrets: this.secrets })
      : ['no answer'];
    for (const fault of faults)
      this.tally.find(request.kind, request.place, fault, {
        request: text.slice(0, 600),
        answer: answer ? `${answer.status} ${answer.body.slice(0, 300)}` : 'none',
      });
    return answer;
  }

  private async ask({ method, path, headers, body }: InputRequest): Promise<SeenAnswer | null> {
    try {
      const answer = await this.pool.request({ method: method as Dispatcher.HttpMethod, path, headers, body });
      return { status: answer.statusCode, headers: answer.headers, body: await answer.body.text() };
    } catch {
      return null;
    }
  }
}

/** A request as it can be sent again; bytes beyond ASCII are escaped. */
function asText({ method, path, headers, body }: InputRequest): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const content = body === undefined ? '' : body.toString('utf8');
  return [`${method} ${path}`, ...lines, content].join(' | ');
}

import * as http from 'node:http';
import * as https from 'node:https';
import { CheckAnswer, CheckRequest, CheckTransport, isCompressed } from '@podium/partner-check';
import { attemptsWithin } from '../api/connecting';

/** As much of an answer as Podium itself reads. */
const maxAnswerBytes = 64 * 1024;
const maxHeaderSize = 16 * 1024;

/** Requests to the partner's own server, wherever it is; redirects are not followed. */
export class NodeTransport implements CheckTransport {
  private readonly agents = { 'http:': new http.Agent(), 'https:': new https.Agent() };

  async send(request: CheckRequest): Promise<CheckAnswer> {
    const signal = AbortSignal.timeout(request.timeoutMs);
    try {
      return await this.exchange(request, signal);
    } catch (error) {
      const { code } = error as { code?: string };
      if (signal.aborted) return { ok: false, reason: `no complete answer within ${request.timeoutMs} ms` };
      if (code?.startsWith('HPE_'))
        return { ok: false, reason: 'the answer is not HTTP within the limits', fault: 'http' };
      const isTls = /^(CERT_|ERR_TLS)|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code ?? '');
      return { ok: false, reason: `${isTls ? 'the certificate is not valid' : 'no answer'} (${code ?? 'unknown'})` };
    }
  }

  close(): void {
    for (const agent of Object.values(this.agents)) agent.destroy();
  }

  private async exchange(request: CheckRequest, signal: AbortSignal): Promise<CheckAnswer> {
    const url = new URL(request.url);
    const isPlain = url.protocol === 'http:';
    const options: http.RequestOptions = {
      method: request.method,
      agent: this.agents[isPlain ? 'http:' : 'https:'],
      maxHeaderSize,
      ...attemptsWithin(request.timeoutMs),
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': 'podium-partner',
        ...request.headers,
        ...(request.body === undefined ? {} : { 'content-length': Buffer.byteLength(request.body) }),
      },
      signal,
    };
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      (isPlain ? http : https).request(url, options, resolve).on('error', reject).end(request.body);
    });
    return readAnswer(response);
  }
}

/**
 * An answer as Podium reads it: a status that says that the server is busy or broken counts whatever its body is, which may be a
 * proxy's large or compressed page. Only its beginning is kept.
 */
async function readAnswer(response: http.IncomingMessage): Promise<CheckAnswer> {
  const status = response.statusCode ?? 0;
  const broken = (fault: 'compressed' | 'size', reason: string): CheckAnswer => {
    response.destroy();
    return { ok: false, fault, reason, status };
  };
  const isSaidByStatus = status === 429 || status >= 500;
  if (!isSaidByStatus && isCompressed(response.headers['content-encoding']))
    return broken('compressed', 'the response is compressed although identity was requested');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= maxAnswerBytes) chunks.push(chunk);
    else if (isSaidByStatus) break;
    else return broken('size', `the response is larger than ${maxAnswerBytes} bytes`);
  }
  const headers = Object.entries(response.headersDistinct).map(
    ([name, values = []]) => [name, name === 'www-authenticate' ? values.join(', ') : (values[0] ?? '')] as const,
  );
  return { ok: true, status, headers: new Map(headers), body: Buffer.concat(chunks) };
}

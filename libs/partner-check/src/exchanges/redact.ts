import { CheckAnswer, CheckRequest } from './transport';
import { parseStrictObject } from '../protocol/strict-json';

/** One request and its answer, as a report may show them: without codes, tokens, secrets and user data. */
export interface Exchange {
  /** From 1, in the order of requests. */
  readonly number: number;
  readonly purpose: string;
  readonly sent: string;
  readonly received: string;
  readonly took_ms: number;
}

/** Parameters and fields whose values are no secret. */
const openParameters = new Set([
  ...['grant_type', 'response_type', 'scope', 'prompt', 'code_challenge_method', 'redirect_uri', 'client_id'],
]);
const shownHeaders = ['content-type', 'cache-control', 'retry-after'];
const namesMax = 20;

/** The request in one line per part; `secrets` never appear, in whatever field they were sent. */
export function describeRequest(request: Omit<CheckRequest, 'timeoutMs'>, secrets: readonly string[]): string {
  const lines = [`${request.method} ${shownAddress(request.url, secrets)}`];
  const { authorization } = request.headers;
  if (authorization !== undefined) lines.push(`Authorization: ${authorization.split(' ')[0]} …`);
  if (request.body !== undefined) lines.push(shownParameters(new URLSearchParams(request.body), secrets));
  return lines.join('\n');
}

/** An address without user and password, and of its query only what a report may show. */
export function shownAddress(address: string, secrets: readonly string[]): string {
  const url = new URL(address);
  const query = shownParameters(url.searchParams, secrets);
  return `${url.origin}${url.pathname}${query === '' ? '' : `?${query}`}`;
}

/** The answer: status, some headers, and of the body only its names and kinds of values. */
export function describeAnswer(answer: CheckAnswer, secrets: readonly string[]): string {
  if (!answer.ok) return answer.status === undefined ? answer.reason : `${answer.status}\n${answer.reason}`;
  const headers = shownHeaders.flatMap((name) => {
    const value = answer.headers.get(name);
    return value === undefined || !/^[\x20-\x7e]{1,100}$/.test(value) || holdsSecret(value, secrets)
      ? []
      : [`${name}: ${value}`];
  });
  const location = answer.headers.get('location');
  if (location !== undefined) headers.push(`location: ${shownLocation(location, secrets)}`);
  const challenge = answer.headers.get('www-authenticate');
  if (challenge !== undefined) headers.push(`www-authenticate: ${shownChallenge(challenge, secrets)}`);
  return [String(answer.status), ...headers, describeBody(answer.body, secrets)].join('\n');
}

/** A redirect's query: which parameters it has; of `error` its code. */
export function describeReturn(query: string, secrets: readonly string[]): string {
  const shown = shownParameters(new URLSearchParams(query), secrets);
  return shown === '' ? 'redirect without parameters' : `redirect with ${shown}`;
}

/** An `error` that is a word or words; other text may echo what was sent, or name a user. */
function shownError(value: unknown, secrets: readonly string[]): string | null {
  const isWords = typeof value === 'string' && value.length <= 64 && /^[A-Za-z]+(?:[_. -][A-Za-z]+)*$/.test(value);
  return isWords && !holdsSecret(value, secrets) ? value : null;
}

function describeBody(body: Uint8Array, secrets: readonly string[]): string {
  if (body.length === 0) return '(empty body)';
  try {
    const fields = [...parseStrictObject(body)].slice(0, namesMax).map(([name, value]) => {
      const shownName = /^[A-Za-z][A-Za-z_]{0,40}$/.test(name) && !holdsSecret(name, secrets) ? name : '…';
      return `"${shownName}": ${shownValue(name, value, secrets)}`;
    });
    return `{${fields.join(', ')}}`;
  } catch {
    const start = Buffer.from(body.subarray(0, 200)).toString('latin1').trimStart();
    return `(${start.startsWith('<') ? 'HTML' : 'not the JSON object that it should be'}, ${body.length} bytes)`;
  }
}

function shownValue(name: string, value: unknown, secrets: readonly string[]): string {
  const error = name === 'error' ? shownError(value, secrets) : null;
  if (error !== null) return `"${error}"`;
  if (typeof value === 'string') return `(text, ${value.length} characters)`;
  if (typeof value === 'number') return name === 'expires_in' ? String(value) : '(number)';
  if (typeof value === 'boolean' || value === null) return String(value);
  return Array.isArray(value) ? '(list)' : '(object)';
}

function shownParameters(parameters: URLSearchParams, secrets: readonly string[]): string {
  return [...parameters]
    .slice(0, namesMax)
    .map(([name, value]) => {
      if (!/^[A-Za-z_]{1,40}$/.test(name) || holdsSecret(name, secrets)) return '…';
      const shown = name === 'error' ? shownError(value, secrets) : openParameters.has(name) ? value : null;
      return `${name}=${shown === null || holdsSecret(shown, secrets) ? '…' : printable(shown).slice(0, 200)}`;
    })
    .join('&');
}

/** Databases refuse some characters in JSON, as NUL or half of a pair, and terminals obey some. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, '…');
}

function shownLocation(location: string, secrets: readonly string[]): string {
  let url: URL;
  try {
    url = new URL(location, 'http://relative.invalid');
  } catch {
    return '(not a URL)';
  }
  const origin = url.hostname === 'relative.invalid' ? '' : url.origin;
  // A path may hold a session or a user: only its beginning is shown, without parameters such as `;jsessionid=…`.
  const path = `/${(url.pathname.split('/')[1] ?? '').split(/;|%3b/i)[0]}`;
  const shown = shownParameters(url.searchParams, secrets);
  const text = `${origin}${path}${url.pathname === path ? '' : '/…'}${shown === '' ? '' : `?${shown}`}`;
  return holdsSecret(text, secrets) ? '(redacted)' : text;
}

function shownChallenge(challenge: string, secrets: readonly string[]): string {
  const scheme = /^[A-Za-z]{1,20}/.exec(challenge)?.[0] ?? '(no scheme)';
  const error = shownError(/\berror="?([^",\s]+)/.exec(challenge)?.[1], secrets);
  return error === null ? scheme : `${scheme} error="${error}"`;
}

/** Whether text holds a secret as it is, percent-encoded or in base64. */
function holdsSecret(text: string, secrets: readonly string[]): boolean {
  return secrets.some(
    (secret) =>
      secret.length >= 4 &&
      [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64').replace(/=+$/, '')].some((form) =>
        text.includes(form),
      ),
  );
}

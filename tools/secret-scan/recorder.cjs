// Preloaded into every Node process of a test run. It keeps what the process gives out (log lines, pages, errors, metrics, spans)
// and which secrets it receives or hands out, so that one scan at the end finds each secret that got where it must not be.
// It observes only: services run as they are. Without PODIUM_RUN_RECORD it does nothing.
'use strict';
const { subscribe } = require('node:diagnostics_channel');
const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');
const { Readable } = require('node:stream');

/** Most bytes of one body that are looked at. */
const bodyBytesMax = 256 * 1024;

const folder = process.env.PODIUM_RUN_RECORD;
if (folder && fs.existsSync(folder)) record();

function record() {
  const files = new Map();
  const write = (name, text) => {
    let file = files.get(name);
    if (file === undefined)
      files.set(name, (file = fs.openSync(path.join(folder, `${process.pid}-${name}`), 'a', 0o600)));
    // At once: a process that is killed has written what it did.
    fs.writeSync(file, text);
  };
  const known = new Set();
  const secret = (kind, value) => {
    if (!isTellable(value) || known.has(value)) return;
    known.add(value);
    write('secrets.ndjson', `${JSON.stringify({ kind, value })}\n`);
  };
  const output = (kind, text) => write(`${kind}.txt`, text.endsWith('\n') ? text : `${text}\n`);

  // Specs may give secrets and outputs that no connection carries.
  subscribe('podium:test:secret', ({ kind, value }) => secret(kind, value));
  subscribe('podium:test:output', ({ kind, text }) => output(kind, text));
  keepEnvironment(secret);
  keepLogs(output);
  keepTerminal(output);
  keepRequests(secret, output);
  keepResponses(secret, output);
}

/** Short or wordlike values would be found everywhere; test secrets that are words have the mark `canary`. */
function isTellable(value) {
  if (typeof value !== 'string') return false;
  return value.includes('canary')
    ? value.length >= 12
    : value.length >= 16 && /[0-9A-Z]/.test(value) && new Set(value).size > 8;
}

function keepEnvironment(secret) {
  for (const [name, value = ''] of Object.entries(process.env)) {
    if (!/^[A-Z][A-Z0-9_]*$/.test(name)) continue;
    if (/(_TOKEN|_SECRET|PASSWORD)$/.test(name)) secret(`setting ${name}`, value);
    // A key ring: id:base64, separated by commas.
    if (/_KEYS$/.test(name))
      for (const key of value.split(',')) secret(`setting ${name}`, key.slice(key.indexOf(':') + 1));
    const password = /^[a-z]+:\/\/[^/@]*:([^/@]+)@/.exec(value)?.[1];
    if (password) secret(`password in ${name}`, decoded(password));
  }
}

/** Lines of every logger, also of those that specs give a stream of their own. A service writes its lines into a file of the stack. */
function keepLogs(output) {
  if (process.env.SERVICE_INSTANCE) return;
  subscribe('tracing:pino_asJson:end', ({ result }) => {
    if (typeof result === 'string') output('log', result);
  });
}

/** What commands print is for their user; what goes wrong, and what jest prints of specs, is seen by more people. */
function keepTerminal(output) {
  const isJest = /jest[\\/]bin[\\/]jest\.js$/.test(process.argv[1] ?? '') && !process.send;
  for (const stream of isJest ? [process.stdout, process.stderr] : [process.stderr]) {
    const print = stream.write;
    stream.write = function (chunk, ...rest) {
      output('terminal', Buffer.from(chunk).toString('utf8'));
      return print.call(this, chunk, ...rest);
    };
  }
}

const headerKinds = { 'x-podium-internal-token': 'internal token' };
const fieldKinds = {
  code: 'authorization code',
  state: 'state',
  code_verifier: 'PKCE verifier',
  access_token: 'access token',
  refresh_token: 'refresh token',
  id_token: 'id token',
  client_secret: 'client secret',
  token: 'token to revoke',
};

function keepRequests(secret, output) {
  subscribe('http.server.request.start', ({ request }) => {
    const { url = '', headers } = request;
    const query = url.indexOf('?');
    if (query >= 0) keepForm(secret, url.slice(query + 1));
    for (const [name, kind] of Object.entries(headerKinds)) secret(kind, headers[name]);
    for (const part of (headers.cookie ?? '').split(/; */)) {
      const [, name, value] = /^((?:__Host-|__Secure-)?podium_\w+)=(.+)$/.exec(part) ?? [];
      if (name) secret(`cookie ${name}`, value);
    }
    keepAuthorization(secret, headers.authorization);
  });
  const push = Readable.prototype.push;
  http.IncomingMessage.prototype.push = function (chunk, encoding) {
    observeBody(this, chunk, secret, output);
    return push.call(this, chunk, encoding);
  };
}

const bodies = new WeakMap();

/** Forms have secrets; what a collector of traces receives may have none. */
function observeBody(message, chunk, secret, output) {
  const type = message.headers?.['content-type'] ?? '';
  const isForm = type.startsWith('application/x-www-form-urlencoded');
  const isTrace = message.method === 'POST' && message.url === '/v1/traces';
  if (!isForm && !isTrace) return;
  const body = bodies.get(message) ?? { chunks: [], size: 0 };
  bodies.set(message, body);
  if (chunk === null) {
    const text = Buffer.concat(body.chunks).toString('latin1');
    if (isForm) keepForm(secret, text);
    else output('traces', text);
  } else if (Buffer.isBuffer(chunk) && body.size < bodyBytesMax * (isTrace ? 100 : 1)) {
    body.chunks.push(Buffer.from(chunk));
    body.size += chunk.length;
  }
}

function keepForm(secret, text) {
  for (const [name, value] of new URLSearchParams(text))
    if (Object.hasOwn(fieldKinds, name)) secret(fieldKinds[name], value);
}

function keepAuthorization(secret, header = '') {
  const [, scheme, value] = /^(Bearer|Basic) (\S+)$/i.exec(header) ?? [];
  if (!scheme) return;
  if (scheme.toLowerCase() === 'bearer') return secret(value.startsWith('podium_') ? 'API key' : 'bearer token', value);
  secret('client credentials', value);
  const credentials = Buffer.from(value, 'base64').toString('utf8');
  const password = credentials.slice(credentials.indexOf(':') + 1);
  secret('client secret', password);
  secret('client secret', decoded(password));
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const tokenField = /"(access_token|refresh_token|id_token|client_secret|key)" ?: ?"([^"\\\s]{16,4096})"/g;

/** Of every response: tokens and keys that it hands out, and pages, errors and metrics of services. */
function keepResponses(secret, output) {
  const { write, end } = http.ServerResponse.prototype;
  const sent = new WeakMap();
  const take = (response, chunk) => {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
    const body = sent.get(response) ?? { chunks: [], size: 0 };
    sent.set(response, body);
    if (body.size > bodyBytesMax) return;
    body.chunks.push(Buffer.from(chunk));
    body.size += chunk.length;
  };
  http.ServerResponse.prototype.write = function (chunk, ...rest) {
    take(this, chunk);
    return write.call(this, chunk, ...rest);
  };
  http.ServerResponse.prototype.end = function (chunk, ...rest) {
    if (typeof chunk !== 'function') take(this, chunk);
    const body = sent.get(this);
    const result = end.call(this, chunk, ...rest);
    if (body) keepResponse(this, Buffer.concat(body.chunks).toString('utf8'), secret, output);
    return result;
  };
}

function keepResponse(response, text, secret, output) {
  for (const [, field, value] of text.matchAll(tokenField))
    if (field !== 'key' || value.startsWith('podium_')) secret(field === 'key' ? 'API key' : fieldKinds[field], value);
  const path = (response.req?.url ?? '').split('?')[0];
  const type = /^content-type: *([^\r\n]*)/im.exec(response._header ?? '')?.[1] ?? '';
  if (type.includes('version=0.0.4') || type.includes('openmetrics')) output('metrics', text);
  // Partners are simulated in specs and in the sandbox: their pages and errors are theirs.
  else if (isOfPodium(response._header ?? '', text) && (response.statusCode >= 400 || type.startsWith('text/html')))
    output('pages', `${response.req.method} ${path} ${response.statusCode}\n${withoutLawful(path, text)}`);
}

/** Where a page must have a secret. */
const lawful = [
  // The page that leads to the partner is for the browser whose flow has begun: its link has the state.
  { path: /^\/connect\/(start\/|test$)/, text: /(?<=[?;&]state=)[\w-]+/g },
];

function withoutLawful(path, text) {
  return lawful.reduce((left, rule) => (rule.path.test(path) ? left.replace(rule.text, '(lawful)') : left), text);
}

function isOfPodium(header, text) {
  if (/^sandbox/.test(process.env.SERVICE_INSTANCE ?? '')) return false;
  return /^(x-request-id|content-security-policy):/im.test(header) || /^\{"error":\{"code":/.test(text);
}

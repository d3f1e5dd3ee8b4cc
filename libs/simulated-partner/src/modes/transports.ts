import { gzipSync } from 'node:zlib';
import { deliveryModes, insteadModes } from './answer-modes';
import { Answer, ListenerKind, Mode, ModeTable } from './mode';

const at = ['exchange', 'refresh', 'user_info'] as const;
const delivery = deliveryModes('transport', at);
const instead = insteadModes('transport', at);

type AnswerMode = Extract<Mode, { kind: 'answer' }>;

/** A success that is changed before it is written. */
const changed = (summary: string, answer: AnswerMode['answer']): AnswerMode => ({
  ...{ kind: 'answer', group: 'transport', at, summary, takesEffect: true, delivery: { kind: 'whole' } },
  answer,
});

const redirect = (location: string): Answer => ({ status: 302, headers: { location }, body: '' });

const listener = (kind: ListenerKind, summary: string): Extract<Mode, { kind: 'listener' }> => ({
  ...{ kind: 'listener', group: 'transport', at: ['exchange'], listener: kind, summary },
});

/** 64 KiB that become 64 MiB: blanks, which JSON allows before its value. */
const bomb = (() => {
  let made: Buffer | undefined;
  return (): Buffer => (made ??= gzipSync(Buffer.alloc(64 * 1024 * 1024, ' ')));
})();

/** Faults of connections and of HTTP itself; answers whose work is done are lost on their way. */
export const transports = {
  reset: delivery('the connection is reset before an answer', { kind: 'reset' }),
  'reset-in-body': delivery('the connection is reset within the body', { kind: 'reset_in_body' }),
  'content-length-too-large': delivery('Content-Length is larger than the body', { kind: 'cut', announced: true }),
  'content-length-too-small': delivery('Content-Length is smaller than the body', {
    ...{ kind: 'length_too_small', lessBytes: 8 },
  }),
  'cut-off': delivery('the body ends early and has no Content-Length', { kind: 'cut', announced: false }),
  'no-answer': delivery('no answer, the connection stays open', { kind: 'nothing' }),
  'no-body': delivery('headers, then silence', { kind: 'headers_only' }),
  'slow-headers': delivery('one byte of the headers every 100 ms', { kind: 'slow_headers', everyMs: 100 }),
  drip: delivery('one byte of the body every 100 ms', { kind: 'drip', everyMs: 100 }),
  'body-64-mib': delivery('64 MiB of blanks before the body', { kind: 'padded', mebibytes: 64 }),
  'gzip-bomb': changed('64 KiB of gzip that are 64 MiB', (normal) => ({
    ...{ status: 200, headers: { ...normal.headers, 'content-encoding': 'gzip' }, body: bomb() },
  })),
  gzip: changed('gzip although identity was requested', (normal) => ({
    ...{ ...normal, headers: { ...normal.headers, 'content-encoding': 'gzip' }, body: gzipSync(normal.body) },
  })),
  'header-bomb': changed('200 KB of headers', (normal) => ({
    ...{ ...normal, headers: { ...normal.headers, 'x-padding': 'a'.repeat(200_000) } },
  })),
  'not-http': delivery('bytes that are not HTTP', { kind: 'not_http' }),
  'redirect-other-host': instead('a redirect to another host', redirect('https://elsewhere.example/oauth2/token')),
  'redirect-private': instead('a redirect to a private address', redirect('http://169.254.169.254/latest/meta-data/')),
  'redirect-loop': {
    ...instead('a redirect to the same address', redirect('/')),
    answer: (_normal: Answer, { url }: { url: string }) => redirect(url),
  },
  'connection-refused': listener('refused', 'nothing listens at the port'),
  'slow-connect': listener('silent_tls', 'the connection opens and the TLS handshake never ends'),
  'tls-expired': listener('tls_expired', 'the certificate has expired'),
  'tls-wrong-host': listener('tls_wrong_host', 'the certificate is for another host'),
  'tls-self-signed': listener('tls_self_signed', 'the certificate is self-signed'),
  'name-unknown': listener('name_unknown', 'the host name does not exist'),
  'name-changes': listener(
    'name_changes',
    'the host name is public when it is entered, and private when it is connected to',
  ),
} as const satisfies ModeTable;

import { IncomingMessage, ServerResponse } from 'node:http';
import { Server as TlsServer, createServer as createTlsServer } from 'node:https';
import { AddressInfo, Server, Socket, createServer } from 'node:net';
import { ListenerKind } from '../modes/mode';
import { Certificate, CertificateAuthority } from './certificates';

/** A port whose connections fail, or a TLS server whose certificate is valid, to compare with. */
export interface FaultyListener {
  /** `host:port`, for an allow list. */
  readonly host: string;
  /** The base URL of a partner there. */
  baseUrl(name: string): string;
  /** Connections that were opened. */
  connections(): number;
  stop(): Promise<void>;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** The kinds of listeners that are a port of this machine; names need a resolver that errs. */
export type LocalListener = Exclude<ListenerKind, 'name_unknown' | 'name_changes'> | 'tls_valid';

/** Starts a listener on a free port of 127.0.0.1; a TLS server answers with the handler if a client gets that far. */
export async function startListener(
  kind: LocalListener,
  { authority, handler }: { authority: CertificateAuthority; handler: Handler },
): Promise<FaultyListener> {
  const server = serverOf(kind, authority, handler);
  const open = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections++;
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
  if (kind === 'refused') await close();
  return {
    host,
    baseUrl: (name) => `${kind === 'refused' ? 'http' : 'https'}://${host}/partners/${name}`,
    connections: () => connections,
    stop: async () => {
      for (const socket of open) socket.destroy();
      if (kind !== 'refused') await close();
    },
  };
}

function serverOf(kind: LocalListener, authority: CertificateAuthority, handler: Handler): Server | TlsServer {
  const valid = { altName: 'IP:127.0.0.1', days: 1 };
  const tls = (certificate: Certificate): TlsServer => createTlsServer(certificate, handler);
  switch (kind) {
    case 'refused':
    case 'silent_tls':
      return createServer();
    case 'tls_valid':
      return tls(authority.issue(valid));
    case 'tls_expired':
      return tls(authority.issue({ ...valid, days: -1 }));
    case 'tls_wrong_host':
      return tls(authority.issue({ ...valid, altName: 'DNS:other-partner.example' }));
    case 'tls_self_signed':
      return tls(authority.selfSigned(valid));
  }
}

import * as net from 'node:net';
import * as tls from 'node:tls';
import { ISocketFactory } from 'kafkajs';

/** Idle time before TCP keep-alive probes begin, milliseconds. */
const keepAliveMs = 5_000;

/** Opens a connection to a broker; `route` maps a broker to an address, which specs use for faulty networks. */
export function socketFactory(route: (place: Place) => Place = (place) => place): ISocketFactory {
  return ({ host, port, ssl, onConnect }) => {
    const place = route({ host, port });
    const socket = ssl
      ? tls.connect({ ...place, ...(net.isIP(host) ? {} : { servername: host }), ...ssl }, onConnect)
      : net.connect(place, onConnect);
    // Before the connection is open the setting would be ignored.
    socket.once('connect', () => socket.setKeepAlive(true, keepAliveMs));
    return socket;
  };
}

/** A broker's address. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

import * as net from 'node:net';
import * as tls from 'node:tls';
import { ISocketFactory } from 'kafkajs';

/** A broker that has said nothing for so long is asked whether it is there, milliseconds. */
const keepAliveMs = 5_000;

/** Opens a connection to a broker; `route` says where a broker is to be reached, in specs by a way that fails. */
export function socketFactory(route: (place: Place) => Place = (place) => place): ISocketFactory {
  return ({ host, port, ssl, onConnect }) => {
    const place = route({ host, port });
    const socket = ssl
      ? tls.connect({ ...place, ...(net.isIP(host) ? {} : { servername: host }), ...ssl }, onConnect)
      : net.connect(place, onConnect);
    // Before it is connected the setting would be ignored.
    socket.once('connect', () => socket.setKeepAlive(true, keepAliveMs));
    return socket;
  };
}

/** Where a broker listens. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

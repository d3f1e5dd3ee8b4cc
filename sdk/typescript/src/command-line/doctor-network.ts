import { lookup } from 'node:dns/promises';
import * as net from 'node:net';
import * as tls from 'node:tls';
import type { ProxyAddress } from '../api/proxy';
import { openTunnel } from '../api/tunnel';
import { Finding, ok, problem, skipped, warning } from './doctor-finding';

const timeoutMs = 5_000;
const maxAddresses = 8;
/** Podium renews certificates earlier than this, days. */
const fewDays = 7;

/** What a certificate's fault calls for, by the code of OpenSSL or Node. */
const certificateFixes: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'Check the clock of this machine. If it is right, tell Podium: the certificate must be renewed.',
  CERT_NOT_YET_VALID: 'Check the clock of this machine.',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'Check the address: its server has a certificate of another host. A name server of your network may answer wrongly.',
};
const untrusted =
  'A proxy of your network may open the connection. Let it pass this host, or name its authority in NODE_EXTRA_CA_CERTS.';

/** Whether the host of an address is known, can be reached, and shows a certificate that this machine trusts. */
export async function networkFindings(url: URL, proxy?: ProxyAddress): Promise<Finding[]> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  if (proxy) return findingsThrough(proxy, host, port);
  let addresses: string[];
  try {
    addresses = (await lookup(host, { all: true })).map(({ address }) => address).slice(0, maxAddresses);
  } catch (error) {
    const fix = 'Check the spelling of the address, and the name server of this machine.';
    return [problem('address', `The name ${host} is not known (${codeOf(error)}).`, fix)];
  }
  const address = ok('address', `${host} is ${addresses.join(', ')}.`);
  const failures = await Promise.all(addresses.map((each) => connectFailure(each, port)));
  const reached = addresses.filter((_, at) => failures[at] === undefined);
  const unreached = addresses.flatMap((each, at) => (failures[at] === undefined ? [] : [`${each} (${failures[at]})`]));
  if (reached.length === 0) {
    const fix = `Let this machine connect to port ${port} of the host: look at firewalls and at the network's outbound rules.`;
    return [address, problem('network', `Port ${port} cannot be reached: ${unreached.join(', ')}.`, fix)];
  }
  const network =
    unreached.length === 0
      ? ok('network', `Port ${port} can be reached.`)
      : warning(
          'network',
          `Port ${port} cannot be reached at ${unreached.join(', ')}; it can at ${reached.join(', ')}.`,
          'Allow all addresses of the host, or connections wait for one that fails. Without IPv6 in your network switch it off.',
        );
  const certificate =
    url.protocol === 'https:'
      ? await certificateFinding(host, { host: reached[0], port })
      : skipped('certificate', 'The address is plain http, which is for this machine only.');
  return [address, network, certificate];
}

/** The proxy looks up the host: what this machine knows of it says nothing. */
async function findingsThrough(proxy: ProxyAddress, host: string, port: number): Promise<Finding[]> {
  const address = ok('address', `${host} is reached through the proxy ${proxy.host}:${proxy.port} of HTTPS_PROXY.`);
  try {
    const socket = await openTunnel(proxy, host, port, AbortSignal.timeout(timeoutMs));
    const network = ok('network', `The proxy connects to port ${port}.`);
    return [address, network, await certificateFinding(host, { socket })];
  } catch (error) {
    const fix =
      'Check HTTPS_PROXY, and ask for access to this host; without a proxy on the way name the host in NO_PROXY.';
    return [address, problem('network', `There is ${(error as Error).message}.`, fix)];
  }
}

function connectFailure(address: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = net.connect({ host: address, port, timeout: timeoutMs });
    const end = (failure: string | undefined): void => {
      socket.destroy();
      resolve(failure);
    };
    socket.once('connect', () => end(undefined));
    socket.once('timeout', () => end(`no answer within ${timeoutMs / 1000} s`));
    socket.once('error', (error) => end(codeOf(error)));
  });
}

function certificateFinding(
  host: string,
  to: { host: string; port: number } | { socket: net.Socket },
): Promise<Finding> {
  return new Promise((resolve) => {
    const servername = net.isIP(host) === 0 ? { servername: host } : {};
    // The connection is only looked at: nothing is sent over it.
    const socket = tls.connect({ ...to, ...servername, rejectUnauthorized: false });
    // As an option it would not hold for a socket that is given.
    socket.setTimeout(timeoutMs);
    const end = (finding: Finding): void => {
      socket.destroy();
      resolve(finding);
    };
    const noHandshake = (reason: string): Finding =>
      problem(
        'certificate',
        `The server does not speak TLS as it should (${reason}).`,
        'Check the port of the address, and whether a proxy of your network answers instead of Podium.',
      );
    socket.once('timeout', () => end(noHandshake(`no answer within ${timeoutMs / 1000} s`)));
    socket.once('error', (error) => end(noHandshake(codeOf(error))));
    socket.once('secureConnect', () => end(findingOf(socket)));
  });
}

function findingOf(socket: tls.TLSSocket): Finding {
  // Node's types say Error; it is the code of the fault.
  const fault = socket.authorizationError as unknown;
  const until = new Date(socket.getPeerCertificate().valid_to);
  if (!socket.authorized) {
    const code = typeof fault === 'string' ? fault : codeOf(fault);
    return problem('certificate', `This machine does not trust it (${code}).`, certificateFixes[code] ?? untrusted);
  }
  const days = Math.floor((until.getTime() - Date.now()) / 86_400_000);
  const message = `It is valid for ${days} days, with ${socket.getProtocol() ?? 'TLS'}.`;
  return days < fewDays
    ? warning('certificate', message, 'Tell Podium: it should have been renewed by now.')
    : ok('certificate', message);
}

function codeOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return code ?? message ?? 'unknown';
}

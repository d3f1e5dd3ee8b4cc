import { existsSync, readFileSync } from 'node:fs';

/** A handle of libuv as Node's diagnostic report shows it. */
interface ReportedHandle {
  readonly type: string;
  readonly is_referenced: boolean;
  readonly pid?: number;
  readonly localEndpoint?: ReportedEndpoint | null;
  readonly remoteEndpoint?: ReportedEndpoint | null;
}

interface ReportedEndpoint {
  readonly ip4?: string;
  readonly ip6?: string;
  readonly port?: number;
}

/** Names of servers by their port. */
export type ServerNames = ReadonlyMap<number, string>;

/**
 * The open sockets, servers and child processes in a diagnostic report of Node, with their addresses or process ids, and the servers at
 * the other end of sockets as far as they are known.
 */
export function reportedHandles(report: object, names: ServerNames = new Map()): string[] {
  const { libuv = [] } = report as { libuv?: readonly ReportedHandle[] };
  return libuv
    .filter(({ is_referenced }) => is_referenced)
    .flatMap(({ type, pid, localEndpoint, remoteEndpoint }) => {
      if (type === 'process') return [`process ${pid}`];
      if (remoteEndpoint) return [`socket to ${endpoint(remoteEndpoint)}${nameOf(remoteEndpoint, names)}`];
      return localEndpoint?.port === undefined ? [] : [`server at ${endpoint(localEndpoint)}`];
    });
}

function nameOf({ port }: ReportedEndpoint, names: ServerNames): string {
  const name = port === undefined ? undefined : names.get(port);
  return name === undefined ? '' : ` (${name})`;
}

function endpoint({ ip4, ip6, port }: ReportedEndpoint): string {
  return `${ip4 ?? `[${ip6}]`}:${port}`;
}

/** The servers of the file with a stack's addresses; none if there is no such file. */
export function serversOf(stackFile: string | undefined): ServerNames {
  if (stackFile === undefined || !existsSync(stackFile)) return new Map();
  const addresses = JSON.parse(readFileSync(stackFile, 'utf8')) as Record<string, unknown>;
  return new Map(
    Object.entries({ Postgres: 'database_url', Redis: 'redis_url', Kafka: 'kafka_brokers' }).flatMap(([name, field]) =>
      `${addresses[field]}`.split(',').flatMap((address): [number, string][] => {
        const port = /:(\d+)(\/|$)/.exec(address)?.[1];
        return port === undefined ? [] : [[Number(port), name]];
      }),
    ),
  );
}

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

/** The open sockets, servers and child processes in a diagnostic report of Node, with their addresses or process ids. */
export function reportedHandles(report: object): string[] {
  const { libuv = [] } = report as { libuv?: readonly ReportedHandle[] };
  return libuv
    .filter(({ is_referenced }) => is_referenced)
    .flatMap(({ type, pid, localEndpoint, remoteEndpoint }) => {
      if (type === 'process') return [`process ${pid}`];
      if (remoteEndpoint) return [`socket to ${endpoint(remoteEndpoint)}`];
      return localEndpoint?.port === undefined ? [] : [`server at ${endpoint(localEndpoint)}`];
    });
}

function endpoint({ ip4, ip6, port }: ReportedEndpoint): string {
  return `${ip4 ?? `[${ip6}]`}:${port}`;
}

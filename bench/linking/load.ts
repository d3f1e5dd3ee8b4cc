import { request } from 'undici';
import { LinkTry, LoadIdentity, ownConnections, tryLink } from './link-user';

/** Users of other partners, who come at a fixed rate whether or not those before them are done. */
export interface Arrivals {
  readonly integrationIds: readonly string[];
  /** Of each partner. */
  readonly perS: number;
  readonly identities: readonly LoadIdentity[];
}

/** A link whose user asks for a check. */
export interface CheckedLink {
  readonly token: string;
  readonly integrationId: string;
}

/** Commands for the process of users; times in ms. */
export type LoadCommand =
  | {
      readonly kind: 'links';
      readonly gatewayUrl: string;
      /** Users at once; each links once, and the next one follows. */
      readonly users: number;
      readonly integrationIds: readonly string[];
      readonly identities: readonly LoadIdentity[];
      readonly arrivals: Arrivals | null;
      readonly warmUpMs: number;
      readonly measureMs: number;
    }
  | {
      readonly kind: 'checks';
      readonly gatewayUrl: string;
      readonly users: number;
      readonly links: readonly CheckedLink[];
    };

/** Reports of that process. */
export type LoadReport =
  | { readonly kind: 'ready' }
  /** The warm-up is over; measuring begins now. */
  | { readonly kind: 'measuring' }
  | {
      readonly kind: 'linked';
      /** Of the measured time. */
      readonly tries: readonly LinkTry[];
      /** Links of the warm-up. */
      readonly earlier: readonly LinkTry[];
      /** Of the users of other partners. */
      readonly arrived: readonly LinkTry[];
      /** Whether there were fewer identities than links. */
      readonly ranOut: boolean;
    }
  | { readonly kind: 'checked'; readonly ms: readonly number[]; readonly failed: number; readonly elapsedMs: number };

async function links(command: Extract<LoadCommand, { kind: 'links' }>): Promise<LoadReport> {
  const { gatewayUrl, integrationIds, identities, arrivals } = command;
  const fromMs = performance.now() + command.warmUpMs;
  const untilMs = fromMs + command.measureMs;
  const tries: LinkTry[] = [];
  let next = 0;
  const arriving = arrivals ? arrive(gatewayUrl, arrivals, untilMs) : Promise.resolve([]);
  const measuring = setTimeout(() => tell({ kind: 'measuring' }), command.warmUpMs);
  const user = async (): Promise<void> => {
    while (performance.now() < untilMs && next < identities.length) {
      const turn = next++;
      tries.push(await tryLink(gatewayUrl, identities[turn], integrationIds[turn % integrationIds.length]));
    }
  };
  await Promise.all(Array.from({ length: command.users }, user));
  clearTimeout(measuring);
  return {
    kind: 'linked',
    tries: tries.filter(({ endedMs }) => endedMs >= fromMs && endedMs <= untilMs),
    earlier: tries.filter(({ endedMs }) => endedMs < fromMs || endedMs > untilMs),
    arrived: await arriving,
    ranOut: next >= identities.length,
  };
}

/** Ends when the last one has its page, so that nothing reaches into the next measurement. */
async function arrive(gatewayUrl: string, arrivals: Arrivals, untilMs: number): Promise<LinkTry[]> {
  const { integrationIds, perS, identities } = arrivals;
  const tries: Promise<LinkTry>[] = [];
  const everyMs = 1000 / (perS * integrationIds.length);
  const beginMs = performance.now();
  for (let turn = 0; turn < identities.length; turn++) {
    const dueMs = beginMs + turn * everyMs;
    if (dueMs > untilMs) break;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())));
    tries.push(tryLink(gatewayUrl, identities[turn], integrationIds[turn % integrationIds.length]));
  }
  return Promise.all(tries);
}

async function checks({
  gatewayUrl,
  users,
  links: all,
}: Extract<LoadCommand, { kind: 'checks' }>): Promise<LoadReport> {
  const left = [...all];
  const ms: number[] = [];
  let failed = 0;
  tell({ kind: 'measuring' });
  const beginMs = performance.now();
  const user = async (): Promise<void> => {
    for (let link = left.pop(); link; link = left.pop()) {
      const dispatcher = ownConnections();
      const fromMs = performance.now();
      const { statusCode, body } = await request(`${gatewayUrl}/v1/me/links/${link.integrationId}?refresh=true`, {
        dispatcher,
        headers: { authorization: `Bearer ${link.token}` },
      });
      await body.dump();
      if (statusCode === 200) ms.push(performance.now() - fromMs);
      else failed++;
      void dispatcher.close();
    }
  };
  await Promise.all(Array.from({ length: users }, user));
  return { kind: 'checked', ms, failed, elapsedMs: performance.now() - beginMs };
}

function tell(report: LoadReport): void {
  process.send?.(report);
}

process.on('disconnect', () => process.exit(0));
process.on(
  'message',
  (command: LoadCommand) => void (command.kind === 'links' ? links(command) : checks(command)).then(tell),
);
tell({ kind: 'ready' });

import { Pool } from 'undici';
import { Latencies } from '../support/latencies';

/** Which two calls the client makes, from how many loops at once; times in ms. */
export interface BareCommand {
  readonly grant: 'authorization_code' | 'refresh_token';
  readonly origin: string;
  /** Path of the partner on its host. */
  readonly path: string;
  readonly loops: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

/** Figures of the client: pairs of calls. */
export interface BareFigures {
  readonly perS: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Reports of the client. */
export type BareReport =
  | { readonly kind: 'ready' }
  /** The warm-up is over; measuring begins now. */
  | { readonly kind: 'measuring' }
  | ({ readonly kind: 'measured' } & BareFigures);

/**
 * The least that linking may cost: a process that sends the token request and then reads the user info, with keep-alive
 * connections, and does nothing else.
 */
async function run(command: BareCommand): Promise<void> {
  const pool = new Pool(command.origin, { connections: command.loops, pipelining: 1 });
  const latencies = new Latencies();
  const beginMs = performance.now();
  const measureFromMs = beginMs + command.warmUpMs;
  const untilMs = measureFromMs + command.measureMs;
  let calls = 0;
  const measuring = setTimeout(() => report({ kind: 'measuring' }), command.warmUpMs);
  const loop = async (at: number): Promise<void> => {
    for (let turn = 0; performance.now() < untilMs; turn++) {
      const fromMs = performance.now();
      await bothCalls(pool, command, `bare-${at}-${turn}`);
      const endedMs = performance.now();
      if (endedMs < measureFromMs || endedMs > untilMs) continue;
      latencies.add(endedMs - fromMs);
      calls++;
    }
  };
  await Promise.all(Array.from({ length: command.loops }, (_, at) => loop(at)));
  clearTimeout(measuring);
  await pool.close();
  report({
    kind: 'measured',
    perS: calls / (command.measureMs / 1000),
    p50Ms: latencies.quantile(0.5),
    p99Ms: latencies.quantile(0.99),
  });
}

async function bothCalls(pool: Pool, { grant, path }: BareCommand, sub: string): Promise<void> {
  const form = new URLSearchParams(
    grant === 'authorization_code'
      ? { grant_type: grant, code: sub, redirect_uri: redirectUri }
      : { grant_type: grant, refresh_token: sub },
  );
  const tokens = await pool.request({
    path: `${path}/oauth2/token`,
    method: 'POST',
    headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  });
  const { access_token } = (await tokens.body.json()) as { access_token: string };
  const user = await pool.request({
    path: `${path}/oauth2/userinfo`,
    method: 'GET',
    headers: { authorization: `Bearer ${access_token}` },
  });
  if (((await user.body.json()) as { sub: string }).sub !== sub) throw new Error('the partner named another user');
}

const redirectUri = 'https://bench.podium.example/v1/oauth/callback/bare';
const authorization = `Basic ${Buffer.from('podium:bench-secret').toString('base64')}`;

function report(report: BareReport): void {
  process.send?.(report);
}

process.on('disconnect', () => process.exit(0));
process.on('message', (command: BareCommand) => void run(command));
report({ kind: 'ready' });

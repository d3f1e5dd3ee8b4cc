import { dataPath } from './data-path';

/** Services behind the gateway to which requests are handed as they are. */
export type Upstream = 'linkage' | 'engagement' | 'ingestion';

/** Who uses a handed-on route. Each group has connections of its own to a service, so that none takes those of another. */
export type CallerGroup = 'users' | 'callbacks' | 'operators';

/** Bounds of the requests of a route; sizes in bytes, times in ms. */
export interface RouteLimits {
  /** A larger body is refused with 413, announced or not. */
  readonly maxBodyBytes: number;
  /** From the end of the head to the end of the body; a slower body is refused with 408. */
  readonly bodyTimeoutMs: number;
  /** From the end of the body until the answer begins; later it is 503. */
  readonly answerTimeoutMs: number;
}

/** A route of the public edge; what a request goes to and its bounds are required, so that no path is open by accident. */
export type Route = {
  /** Names the route in metrics and logs. */
  readonly id: string;
  /** Exact path; with `below` also everything under it. */
  readonly path: string;
  readonly below?: true;
  readonly summary: string;
} & (
  | { readonly to: 'send-event'; readonly limits: RouteLimits }
  | { readonly to: 'data'; readonly limits: RouteLimits }
  | UpstreamTarget
  | { readonly to: 'docs' }
);

/** What a handed-on route goes to. */
export interface UpstreamTarget {
  readonly to: 'upstream';
  readonly upstream: Upstream;
  readonly group: CallerGroup;
  readonly limits: RouteLimits;
}

/** A handed-on route. */
export type UpstreamRoute = Extract<Route, { to: 'upstream' }>;

const kib = 1024;

/** Of an event: its deadline runs from the end of the head, and ingestion needs some of it (`batchLimits`). */
const eventLimits: RouteLimits = { maxBodyBytes: 64 * kib, bodyTimeoutMs: 3_500, answerTimeoutMs: 5_000 };
/** A read has no use for a body; so much of one is thrown away. */
const dataLimits: RouteLimits = { maxBodyBytes: 64 * kib, bodyTimeoutMs: 5_000, answerTimeoutMs: 10_000 };
// Linkage may wait for a partner's server.
const partnerWaitMs = 20_000;
/** Forms and small JSON from people whom nobody knows yet. */
const userLimits: RouteLimits = { maxBodyBytes: 16 * kib, bodyTimeoutMs: 5_000, answerTimeoutMs: partnerWaitMs };
const operatorLimits: RouteLimits = { maxBodyBytes: 64 * kib, bodyTimeoutMs: 5_000, answerTimeoutMs: partnerWaitMs };
/** A contract or a definition may hold thousands of names. */
const definitionLimits: RouteLimits = { ...operatorLimits, maxBodyBytes: 1024 * kib, bodyTimeoutMs: 10_000 };

const users = { group: 'users', limits: userLimits } as const;
const callbacks = { group: 'callbacks', limits: userLimits } as const;
const operators = { group: 'operators', limits: operatorLimits } as const;
const definitions = { group: 'operators', limits: definitionLimits } as const;

/** The one table of what is public; everything else is 404. */
export const routes: readonly Route[] = [
  {
    id: 'send-event',
    path: '/cdp/v1/users/events/send',
    to: 'send-event',
    limits: eventLimits,
    summary: 'Partners send user events',
  },

  { id: 'data', path: dataPath, below: true, to: 'data', limits: dataLimits, summary: 'Reads of competition data' },

  upstream('me-links', '/v1/me/links', 'linkage', users, "A user's links, for programs"),
  upstream('oauth-callback', '/v1/oauth/callback', 'linkage', callbacks, "The partner's redirect"),
  upstream('connect', '/connect', 'linkage', users, 'Pages on which users connect and disconnect'),

  upstream(
    'admin-integrations',
    '/admin/v1/integrations',
    'linkage',
    definitions,
    'Integrations, contracts, their keys',
  ),
  upstream('admin-keys', '/admin/v1/keys', 'linkage', operators, 'Data keys; the end of any key'),
  upstream('admin-links', '/admin/v1/links', 'linkage', operators, 'Links of users'),
  upstream('admin-erasures', '/admin/v1/erasures', 'linkage', operators, 'Erasures of users'),
  upstream('admin-audit', '/admin/v1/audit', 'linkage', operators, 'What operators did'),
  upstream('admin-vault', '/admin/v1/vault', 'linkage', operators, 'Keys under which secrets are kept'),
  upstream('admin-segments', '/admin/v1/segments', 'engagement', definitions, 'Segments'),
  upstream('admin-tasks', '/admin/v1/tasks', 'engagement', definitions, 'Bonus tasks'),
  upstream('admin-awards', '/admin/v1/awards', 'engagement', operators, 'Awards and budgets'),
  upstream('admin-users', '/admin/v1/users', 'engagement', operators, "A user's events, state and awards"),
  upstream('admin-events', '/admin/v1/events', 'engagement', operators, 'Stored events'),
  upstream('admin-refusals', '/admin/v1/refusals', 'ingestion', operators, 'Refused events per code and platform'),

  { id: 'docs', path: '/docs', below: true, to: 'docs', summary: 'Guides, error catalogue, OpenAPI' },
];

function upstream(
  id: string,
  path: string,
  service: Upstream,
  bounds: Pick<UpstreamTarget, 'group' | 'limits'>,
  summary: string,
): Route {
  return { id, path, below: true, to: 'upstream', upstream: service, ...bounds, summary };
}

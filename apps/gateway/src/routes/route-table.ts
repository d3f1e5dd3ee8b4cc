import type { PartnerRead } from '@podium/messages';
import {
  RouteLimits,
  dataLimits,
  definitionLimits,
  eventBatchLimits,
  eventIdLimits,
  eventLimits,
  eventStatusLimits,
  operatorLimits,
  userLimits,
} from './body-limits';
import { dataPath } from './data-path';

/** Services behind the gateway to which requests are forwarded unchanged. */
export type Upstream = 'linkage' | 'engagement' | 'ingestion';

/** The callers of a forwarded route. Each group has its own connections to a service, so that none uses up those of another. */
export type CallerGroup = 'users' | 'callbacks' | 'operators';

/** A route of the public edge. Its target and limits are required, so that no path is open by accident. */
export type Route = {
  /** Names the route in metrics and logs. */
  readonly id: string;
  /** Exact path; with `below` also everything under it. */
  readonly path: string;
  readonly below?: true;
  readonly summary: string;
} & (
  | { readonly to: 'send-event' | 'send-event-batch' | 'validate-event'; readonly limits: RouteLimits }
  | { readonly to: 'partner-read'; readonly reads: PartnerRead; readonly limits: RouteLimits }
  | { readonly to: 'event-ids'; readonly asks: 'reconcile' | 'status'; readonly limits: RouteLimits }
  | { readonly to: 'data'; readonly limits: RouteLimits }
  | UpstreamTarget
  | { readonly to: 'docs' }
);

/** The target of a forwarded route. */
export interface UpstreamTarget {
  readonly to: 'upstream';
  readonly upstream: Upstream;
  readonly group: CallerGroup;
  readonly limits: RouteLimits;
  /** All requests are reads, which may be sent again, to another address of the service. */
  readonly isRead?: true;
  /** Browsers come here too: an error is then a page. For other services errors are always JSON, as OpenAPI promises. */
  readonly forBrowsers?: true;
}

/** A forwarded route. */
export type UpstreamRoute = Extract<Route, { to: 'upstream' }>;

const users = { group: 'users', limits: userLimits } as const;
const pages = { ...users, forBrowsers: true } as const;
const callbacks = { group: 'callbacks', limits: userLimits, forBrowsers: true } as const;
const operators = { group: 'operators', limits: operatorLimits } as const;
const operatorReads = { ...operators, isRead: true } as const;
const definitions = { group: 'operators', limits: definitionLimits } as const;

/** All public paths; any other path is 404. */
export const routes: readonly Route[] = [
  {
    id: 'send-event',
    path: '/cdp/v1/users/events/send',
    to: 'send-event',
    limits: eventLimits,
    summary: 'Partners send user events',
  },
  {
    id: 'send-event-batch',
    path: '/cdp/v1/users/events/batch',
    to: 'send-event-batch',
    limits: eventBatchLimits,
    summary: 'Partners send several user events in one request',
  },
  {
    id: 'validate-event',
    path: '/cdp/v1/users/events/validate',
    to: 'validate-event',
    limits: eventLimits,
    summary: 'Partners check a user event without sending it',
  },
  partnerRead('contract', '/cdp/v1/contract', 'Partners read what is negotiated with them'),
  partnerRead('refusals', '/cdp/v1/refusals', 'Partners read their refused events'),
  partnerRead('drift', '/cdp/v1/drift', 'Partners read on which names their events and contract differ'),
  {
    ...{ id: 'reconcile-events', path: '/cdp/v1/users/events/reconcile' },
    ...{ to: 'event-ids', asks: 'reconcile', limits: eventIdLimits },
    summary: 'Partners ask which of their events were never accepted',
  },
  {
    ...{ id: 'event-status', path: '/cdp/v1/users/events/status' },
    ...{ to: 'event-ids', asks: 'status', limits: eventStatusLimits },
    summary: 'Partners ask whether an event was accepted',
  },

  { id: 'data', path: dataPath, below: true, to: 'data', limits: dataLimits, summary: 'Reads of competition data' },

  upstream('me-links', '/v1/me/links', 'linkage', users, "A user's links, for programs"),
  upstream('oauth-callback', '/v1/oauth/callback', 'linkage', callbacks, "The partner's redirect"),
  upstream('connect', '/connect', 'linkage', pages, 'Pages on which users connect and disconnect'),

  upstream(
    'admin-integrations',
    '/admin/v1/integrations',
    'linkage',
    definitions,
    'Integrations, contracts, their keys',
  ),
  upstream('admin-keys', '/admin/v1/keys', 'linkage', operators, 'Data keys; revoking any key'),
  upstream('admin-links', '/admin/v1/links', 'linkage', operators, 'Links of users'),
  upstream('admin-erasures', '/admin/v1/erasures', 'linkage', operators, 'Erasures of users'),
  upstream('admin-audit', '/admin/v1/audit', 'linkage', operators, 'Actions of operators'),
  upstream('admin-vault', '/admin/v1/vault', 'linkage', operators, 'Keys that encrypt stored secrets'),
  upstream('admin-segments', '/admin/v1/segments', 'engagement', definitions, 'Segments'),
  upstream('admin-tasks', '/admin/v1/tasks', 'engagement', definitions, 'Bonus tasks'),
  upstream('admin-rates', '/admin/v1/rates', 'engagement', operators, 'Rates of exchange'),
  upstream('admin-awards', '/admin/v1/awards', 'engagement', operators, 'Awards'),
  upstream('admin-users', '/admin/v1/users', 'engagement', operators, "A user's events, state and awards"),
  upstream('admin-refusals', '/admin/v1/refusals', 'ingestion', operatorReads, 'Refused events per code and platform'),
  upstream('admin-drift', '/admin/v1/drift', 'ingestion', operatorReads, 'Names on which events and contracts differ'),

  { id: 'landing', path: '/', to: 'docs', summary: 'What this is, and where to go' },
  { id: 'favicon-ico', path: '/favicon.ico', to: 'docs', summary: 'The icon in the tab of a browser' },
  { id: 'favicon-svg', path: '/favicon.svg', to: 'docs', summary: 'The same, sharp at any size' },
  { id: 'docs', path: '/docs', below: true, to: 'docs', summary: 'Guides, error catalogue, OpenAPI' },
];

/** The first two segments of each path that is only for programs, such as `/admin/v1`. */
const apiPrefixes = new Set(routes.filter((route) => !isForBrowsers(route)).map(({ path }) => prefixOf(path)));

/** Whether a request's target is below an API for programs, known path or not. */
export function isApiTarget(target: string): boolean {
  return apiPrefixes.has(prefixOf(target));
}

function isForBrowsers(route: Route): boolean {
  return route.to === 'docs' || (route.to === 'upstream' && route.forBrowsers === true);
}

function prefixOf(target: string): string {
  return target.split(/[?#]/, 1)[0].split('/', 3).join('/');
}

function partnerRead(reads: PartnerRead, path: string, summary: string): Route {
  return { id: `partner-${reads}`, path, to: 'partner-read', reads, limits: dataLimits, summary };
}

function upstream(
  id: string,
  path: string,
  service: Upstream,
  bounds: Pick<UpstreamTarget, 'group' | 'limits' | 'isRead' | 'forBrowsers'>,
  summary: string,
): Route {
  return { id, path, below: true, to: 'upstream', upstream: service, ...bounds, summary };
}

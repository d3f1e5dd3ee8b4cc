import { dataPath } from './data-path';

/** Services behind the gateway to which requests are handed as they are. */
export type Upstream = 'linkage' | 'engagement' | 'ingestion';

/** A route of the public edge; what a request goes to is required, so that no path is open by accident. */
export type Route = {
  /** Names the route in metrics and logs. */
  readonly id: string;
  /** Exact path; with `below` also everything under it. */
  readonly path: string;
  readonly below?: true;
  readonly summary: string;
} & (
  | { readonly to: 'send-event' }
  | { readonly to: 'data' }
  | { readonly to: 'upstream'; readonly upstream: Upstream }
  | { readonly to: 'docs' }
);

/** The one table of what is public; everything else is 404. */
export const routes: readonly Route[] = [
  { id: 'send-event', path: '/cdp/v1/users/events/send', to: 'send-event', summary: 'Partners send user events' },

  { id: 'data', path: dataPath, below: true, to: 'data', summary: 'Reads of competition data' },

  upstream('me-links', '/v1/me/links', 'linkage', "A user's links, for programs"),
  upstream('oauth-callback', '/v1/oauth/callback', 'linkage', "The partner's redirect"),
  upstream('connect', '/connect', 'linkage', 'Pages on which users connect and disconnect'),

  upstream('admin-integrations', '/admin/v1/integrations', 'linkage', 'Integrations, contracts and their keys'),
  upstream('admin-keys', '/admin/v1/keys', 'linkage', 'Data keys; the end of any key'),
  upstream('admin-links', '/admin/v1/links', 'linkage', 'Links of users'),
  upstream('admin-erasures', '/admin/v1/erasures', 'linkage', 'Erasures of users'),
  upstream('admin-audit', '/admin/v1/audit', 'linkage', 'What operators did'),
  upstream('admin-vault', '/admin/v1/vault', 'linkage', 'Keys under which secrets are kept'),
  upstream('admin-segments', '/admin/v1/segments', 'engagement', 'Segments'),
  upstream('admin-tasks', '/admin/v1/tasks', 'engagement', 'Bonus tasks'),
  upstream('admin-awards', '/admin/v1/awards', 'engagement', 'Awards and budgets'),
  upstream('admin-users', '/admin/v1/users', 'engagement', "A user's events, state and awards"),
  upstream('admin-events', '/admin/v1/events', 'engagement', 'Stored events'),
  upstream('admin-refusals', '/admin/v1/refusals', 'ingestion', 'Refused events per code and platform'),

  { id: 'docs', path: '/docs', below: true, to: 'docs', summary: 'Guides, error catalogue, OpenAPI' },
];

function upstream(id: string, path: string, service: Upstream, summary: string): Route {
  return { id, path, below: true, to: 'upstream', upstream: service, summary };
}

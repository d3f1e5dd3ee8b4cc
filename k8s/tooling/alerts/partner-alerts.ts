import { CauseAlert } from './cause-alert';

/** Alerts on partners' servers and on the links with them. */
export const partnerAlerts: readonly CauseAlert[] = [
  {
    name: 'PartnerTokenEndpointFails',
    severity: 'ticket',
    expr: failing('exchange|refresh'),
    for: '5m',
    summary: 'The token endpoint of {{ $labels.platform }} fails {{ $value | humanizePercentage }} of the requests',
    description:
      'Users cannot link this partner, and links whose token has expired cannot be checked. The partner is down, or has changed its address or the client registration of Podium.',
  },
  {
    name: 'PartnerUserInfoFails',
    severity: 'ticket',
    expr: failing('user_info'),
    for: '5m',
    summary: 'The user info endpoint of {{ $labels.platform }} fails {{ $value | humanizePercentage }} of the requests',
    description: 'Users cannot link this partner, because their identity there cannot be read.',
  },
  {
    name: 'LinksNeedLogin',
    severity: 'ticket',
    expr: [
      'sum by (platform) (rate(linkage_token_refreshes_total{outcome="needs_reauth"}[1h])) / sum by (platform) (rate(linkage_token_refreshes_total[1h])) > 0.2',
      'and sum by (platform) (increase(linkage_token_refreshes_total{outcome="needs_reauth"}[1h])) >= 10',
    ].join('\n'),
    for: '5m',
    summary: '{{ $value | humanizePercentage }} of the token refreshes at {{ $labels.platform }} end the grant',
    description:
      'The partner revokes grants, and the users must log in there again. Their events are still accepted. Usually the partner has lost or revoked its refresh tokens.',
  },
  {
    name: 'GrantsUnknown',
    severity: 'ticket',
    expr: 'max by (platform) (linkage_grants_unknown) >= 10',
    for: '15m',
    summary: 'The grants of {{ $value }} links at {{ $labels.platform }} are in an unknown state',
    description:
      'The answers to refreshes of their tokens were lost. The links stay, and the same token is sent again; if the partner has rotated it, users must log in there again.',
  },
  {
    name: 'RefreshesOverdue',
    severity: 'ticket',
    expr: 'max by (platform) (linkage_refresh_overdue_seconds) > 900',
    for: '15m',
    summary: 'Refreshes at {{ $labels.platform }} are {{ $value | humanizeDuration }} behind',
    description:
      'Tokens of links are not refreshed in time. A partner may end a refresh token that is not used for long; its user must then log in there again.',
  },
  {
    name: 'LinksNotReady',
    severity: 'ticket',
    expr: [
      'min_over_time(max(linkage_links_pending)[10m:30s]) > 0',
      'and sum(increase(linkage_link_ready_seconds_count[10m])) == 0',
    ].join('\n'),
    for: '1m',
    summary: '{{ $value }} links are pending, and none becomes ready',
    description:
      'New links stay pending and their events are refused; unlinks are not confirmed. A consumer group that reads links is paused, or the outbox of linkage is not published.',
  },
];

/** Most requests fail, for whatever reason: the partner is down, or it refuses Podium's client. */
function failing(operations: string): string {
  const all = `operation=~"${operations}"`;
  const failed = `${all},outcome!="ok"`;
  return [
    `sum by (platform) (rate(linkage_partner_requests_total{${failed}}[15m])) / sum by (platform) (rate(linkage_partner_requests_total{${all}}[15m])) > 0.5`,
    `and sum by (platform) (increase(linkage_partner_requests_total{${failed}}[15m])) >= 5`,
  ].join('\n');
}

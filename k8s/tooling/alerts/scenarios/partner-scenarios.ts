import { AlertScenario } from './alert-scenario';

const asked = (operation: string, outcome: string): string =>
  `linkage_partner_requests_total{platform="acme",operation="${operation}",outcome="${outcome}"}`;
const refreshed = (outcome: string): string => `linkage_token_refreshes_total{platform="acme",outcome="${outcome}"}`;
const overdue = (pod: string): string => `linkage_refresh_overdue_seconds{platform="acme",pod="${pod}"}`;
const unknown = (pod: string): string => `linkage_grants_unknown{platform="acme",pod="${pod}"}`;

/** Scenarios for the alerts about partners' servers. */
export const partnerScenarios: readonly AlertScenario[] = [
  {
    alert: 'PartnerTokenEndpointFails',
    when: 'refreshes and exchanges get no answer',
    series: {
      [asked('exchange', 'unavailable')]: '0+1x60',
      [asked('refresh', 'unavailable')]: '0+1x60',
      [asked('refresh', 'ok')]: '0+1x60',
      [asked('user_info', 'ok')]: '0+9x60',
    },
    at: '25m',
    fires: [{ platform: 'acme' }],
  },
  {
    alert: 'PartnerTokenEndpointFails',
    when: 'a few users bring codes that the partner refuses',
    series: { [asked('exchange', 'ok')]: '0+2x60', [asked('exchange', 'rejected')]: '0+1x60' },
    at: '25m',
    fires: [],
  },
  {
    alert: 'PartnerTokenEndpointFails',
    when: 'two requests in all, both fail',
    series: { [asked('exchange', 'unavailable')]: '0x20 1 2 2x40' },
    at: '25m',
    fires: [],
  },
  {
    alert: 'PartnerUserInfoFails',
    when: 'user info is malformed',
    series: { [asked('exchange', 'ok')]: '0+1x60', [asked('user_info', 'malformed')]: '0+1x60' },
    at: '25m',
    fires: [{ platform: 'acme' }],
  },
  {
    alert: 'PartnerUserInfoFails',
    when: 'user info succeeds',
    series: { [asked('user_info', 'ok')]: '0+9x60', [asked('user_info', 'unavailable')]: '0+1x60' },
    at: '25m',
    fires: [],
  },
  {
    alert: 'LinksNeedLogin',
    when: 'a partner ends most grants',
    series: { [refreshed('refreshed')]: '0+1x120', [refreshed('needs_reauth')]: '0+2x120' },
    at: '50m',
    fires: [{ platform: 'acme' }],
  },
  {
    alert: 'LinksNeedLogin',
    when: 'some grants end, as always',
    series: { [refreshed('refreshed')]: '0+19x120', [refreshed('needs_reauth')]: '0+1x120' },
    at: '50m',
    fires: [],
  },
  {
    alert: 'GrantsUnknown',
    when: 'a partner loses the answers to many refreshes',
    series: { [unknown('a')]: '0x10 12x60', [unknown('b')]: '0x10 12x60' },
    at: '30m',
    fires: [{ platform: 'acme' }],
  },
  {
    alert: 'GrantsUnknown',
    when: 'a few answers are lost, and others for a short time',
    series: { [unknown('a')]: '0x10 9x25 40x5 0x40' },
    at: '50m',
    fires: [],
  },
  {
    alert: 'RefreshesOverdue',
    when: 'background work falls behind the tokens of a partner',
    series: { [overdue('a')]: '0x10 60+60x80', [overdue('b')]: '0x10 60+60x80' },
    at: '42m',
    fires: [{ platform: 'acme' }],
  },
  {
    alert: 'RefreshesOverdue',
    when: 'many refreshes fall due at once and are caught up with',
    series: { [overdue('a')]: '0x10 60+60x20 1200-60x20 0x40' },
    at: '42m',
    fires: [],
  },
  {
    alert: 'LinksNotReady',
    when: 'links are pending and none becomes ready',
    series: { 'linkage_links_pending{pod="a"}': '0x4 3x60', 'linkage_link_ready_seconds_count{pod="a"}': '7x64' },
    at: '16m',
    fires: [{}],
  },
  {
    alert: 'LinksNotReady',
    when: 'some links are always pending, and others become ready',
    series: { 'linkage_links_pending{pod="a"}': '3x64', 'linkage_link_ready_seconds_count{pod="a"}': '7+1x64' },
    at: '16m',
    fires: [],
  },
];

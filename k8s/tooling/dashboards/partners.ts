import { Dashboard, chart } from './dashboard';

const chosen = 'platform=~"$platform"';

/** Events, links and requests of each partner, with failures. */
export const partners: Dashboard = {
  name: 'partners',
  title: 'partners',
  variables: [{ name: 'platform', label: 'Partner', metric: 'gateway_events_total' }],
  rows: [
    {
      title: 'Events',
      panels: [
        chart('Accepted', 'reqps', 'New events.', [
          `sum by (platform) (rate(gateway_events_total{${chosen},outcome="accepted"}[5m]))`,
          '{{platform}}',
        ]),
        chart('Repeated', 'reqps', 'Answered as duplicates.', [
          `sum by (platform) (rate(gateway_events_total{${chosen},outcome="duplicate"}[5m]))`,
          '{{platform}}',
        ]),
        chart('Refused', 'reqps', 'By code of the error catalogue.', [
          `sum by (platform, outcome) (rate(gateway_events_total{${chosen},outcome!~"accepted|duplicate"}[5m]))`,
          '{{platform}} {{outcome}}',
        ]),
        chart('Share of refusals', 'percentunit', 'If it stays above one half, contact the partner.', [
          `sum by (platform) (rate(gateway_events_total{${chosen},outcome!~"accepted|duplicate"}[5m])) / sum by (platform) (rate(gateway_events_total{${chosen}}[5m]))`,
          '{{platform}}',
        ]),
        chart('Over the rate', 'reqps', 'Answered 429.', [
          `sum by (platform) (rate(gateway_events_total{${chosen},outcome="rate_limited"}[5m]))`,
          '{{platform}}',
        ]),
        chart('Seen by ingestion', 'reqps', 'By outcome and code; the outcome twin is a duplicate in the same batch.', [
          `sum by (platform, outcome, code) (rate(ingestion_events_total{${chosen}}[5m]))`,
          '{{platform}} {{outcome}} {{code}}',
        ]),
        chart(
          'Differs from the contract',
          'reqps',
          'Names not negotiated, attributes left out, values that do not parse.',
          [`sum by (platform, finding) (rate(ingestion_drift_total{${chosen}}[5m]))`, '{{platform}} {{finding}}'],
        ),
        chart(
          'Reads of partners',
          'short',
          'At the gateways: contract, refusals, drift, and questions about event ids.',
          ['sum by (kind) (gateway_reads_under_way{kind!="data"})', '{{kind}}'],
        ),
      ],
    },
    {
      title: 'Event ids',
      panels: [
        chart('Questions about event ids', 'reqps', 'Status and reconcile at the gateway, by status.', [
          'sum by (route, status) (rate(gateway_requests_total{route=~"reconcile-events|event-status"}[5m]))',
          '{{route}} {{status}}',
        ]),
        chart('Answers about event ids', 'reqps', 'At engagement: answered, or why not.', [
          'sum by (outcome) (rate(engagement_reconcile_requests_total[5m]))',
          '{{outcome}}',
        ]),
        chart('Ids asked about', 'short', 'Each second; missing ones were never accepted.', [
          'sum by (result) (rate(engagement_reconciled_ids_total[5m]))',
          '{{result}}',
        ]),
        chart('Time of an answer about ids', 's', 'With the wait until earlier events are applied, 95 %.', [
          'histogram_quantile(0.95, sum by (le) (rate(engagement_reconcile_seconds_bucket[5m])))',
          '95 %',
        ]),
      ],
    },
    {
      title: 'Linking',
      panels: [
        chart('Flows begun', 'short', 'Users redirected to the partner, each hour.', [
          `sum by (platform) (increase(linkage_link_flows_started_total{${chosen}}[1h]))`,
          '{{platform}}',
        ]),
        chart('Flows ended', 'short', 'Each hour, by how they ended.', [
          `sum by (platform, outcome) (increase(linkage_link_flows_finished_total{${chosen}}[1h]))`,
          '{{platform}} {{outcome}}',
        ]),
        chart('Until ready', 's', 'From a link to its readiness in every part of the service, 95 %.', [
          'histogram_quantile(0.95, sum by (le) (rate(linkage_link_ready_seconds_bucket[30m])))',
          'ready',
        ]),
        chart('Pending links', 'short', 'Not yet known to every part of the service.', [
          'max(linkage_links_pending)',
          'pending',
        ]),
      ],
    },
    {
      title: "The partner's server",
      panels: [
        chart('Requests to it', 'reqps', 'By operation and outcome.', [
          `sum by (platform, operation, outcome) (rate(linkage_partner_requests_total{${chosen}}[5m]))`,
          '{{platform}} {{operation}} {{outcome}}',
        ]),
        chart('Response time', 's', '95 % of its responses.', [
          `histogram_quantile(0.95, sum by (platform, operation, le) (rate(linkage_partner_request_seconds_bucket{${chosen}}[15m])))`,
          '{{platform}} {{operation}}',
        ]),
        chart(
          'Waits on slow ones',
          'short',
          'Users waiting for a slow partner; from 64 on an instance refuses new ones at once.',
          ['max by (pod) (linkage_slow_partner_waits)', '{{pod}}'],
        ),
        chart('Refreshes of tokens', 'short', 'Each hour; lost: no answer arrived, so the same token is sent again.', [
          `sum by (platform, outcome) (increase(linkage_token_refreshes_total{${chosen}}[1h]))`,
          '{{platform}} {{outcome}}',
        ]),
        chart('Overdue refreshes', 's', 'How long the oldest due refresh has waited for its turn.', [
          `max by (platform) (linkage_refresh_overdue_seconds{${chosen}})`,
          '{{platform}}',
        ]),
        chart('Grants in an unknown state', 'short', 'Links whose refreshes lost their answers; sent again.', [
          `max by (platform) (linkage_grants_unknown{${chosen}})`,
          '{{platform}}',
        ]),
        chart('Links that need a log-in', 'short', 'Each hour, by reason.', [
          `sum by (platform, reason) (increase(linkage_links_needing_login_total{${chosen}}[1h]))`,
          '{{platform}} {{reason}}',
        ]),
        chart(
          'Revocations after unlinks',
          'short',
          'Each hour; given_up: the partner did not confirm it within a day.',
          [
            `sum by (platform, outcome) (increase(linkage_token_revocations_total{${chosen}}[1h]))`,
            '{{platform}} {{outcome}}',
          ],
        ),
      ],
    },
  ],
};

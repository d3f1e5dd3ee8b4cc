import { slos } from '../slo/slo-table';
import { Dashboard, chart, stat } from './dashboard';

/** Health at a glance: objectives, and rate, errors, duration and saturation of every service. */
export const goldenSignals: Dashboard = {
  name: 'golden-signals',
  title: 'golden signals',
  rows: [
    {
      title: 'Error budget left of 30 days',
      panels: slos.map(({ name, title, meaning }) =>
        stat(title, 'percentunit', meaning, `slo:error_budget_left:ratio_30d{slo="${name}"}`),
      ),
    },
    {
      title: 'Traffic',
      panels: [
        chart('Requests at the edge', 'reqps', 'Answered by the gateway, by route.', [
          'sum by (route) (rate(gateway_requests_total[5m]))',
          '{{route}}',
        ]),
        chart('Requests behind the edge', 'reqps', 'Answered by the services that the gateway calls.', [
          'sum by (service, route) (rate(http_request_duration_seconds_count[5m]))',
          '{{service}} {{route}}',
        ]),
        chart('Answers to events', 'reqps', 'Single or in a batch, by the class of the status of each.', [
          'sum by (status_class) (rate(gateway_event_answers_total[5m]))',
          '{{status_class}}',
        ]),
        chart('In flight', 'short', 'Requests whose response is not complete.', [
          'sum by (service) (http_requests_in_flight)',
          '{{service}}',
        ]),
        chart(
          'The edge from outside',
          'none',
          'Whether the start page is answered to the blackbox exporter: 1, or 0.',
          ['max by (instance) (probe_success)', '{{instance}}'],
        ),
        chart('Status from outside', 'none', 'Status of that answer; 0 without one.', [
          'max by (instance) (probe_http_status_code)',
          '{{instance}}',
        ]),
      ],
    },
    {
      title: 'Errors',
      panels: [
        chart(
          'Errors at the edge',
          'reqps',
          '5XX responses of the gateway. A batch whose events fail is a 207: see the answers to events.',
          ['sum by (route, status) (rate(gateway_requests_total{status=~"5.."}[5m]))', '{{route}} {{status}}'],
        ),
        chart('Errors behind the edge', 'reqps', '5XX responses of services.', [
          'sum by (service, route) (rate(http_request_duration_seconds_count{status=~"5.."}[5m]))',
          '{{service}} {{route}}',
        ]),
        chart('Share of bad events', 'percentunit', 'What the objectives count, over an hour.', [
          'max by (slo) (slo:errors:ratio_rate1h)',
          '{{slo}}',
        ]),
      ],
    },
    {
      title: 'Duration',
      panels: [
        chart(
          'Accepting an event',
          's',
          'One that is sent alone, from the last header to the 200 response; the objective is 99 % within 250 ms.',
          ...[0.5, 0.99].map(
            (share) =>
              [
                `histogram_quantile(${share}, sum by (le) (rate(gateway_request_duration_seconds_bucket{route="send-event",status_class="2xx"}[5m])))`,
                `${share * 100} %`,
              ] as const,
          ),
        ),
        chart('Duration at the edge, 99 %', 's', 'By route.', [
          'histogram_quantile(0.99, sum by (route, le) (rate(gateway_request_duration_seconds_bucket[5m])))',
          '{{route}}',
        ]),
        chart('Duration behind the edge, 99 %', 's', 'By service.', [
          'histogram_quantile(0.99, sum by (service, le) (rate(http_request_duration_seconds_bucket[5m])))',
          '{{service}}',
        ]),
      ],
    },
    {
      title: 'Saturation',
      panels: [
        chart('Event loop', 's', 'How late timers are, 99 %; above 0.25 s the process has too little CPU.', [
          'max by (service) (nodejs_eventloop_lag_p99_seconds)',
          '{{service}}',
        ]),
        chart('Waiting for Postgres', 's', 'Time until 95 % of callers have a connection of the pool.', [
          'histogram_quantile(0.95, sum by (service, pool, le) (rate(postgres_pool_wait_seconds_bucket[5m])))',
          '{{service}} {{pool}}',
        ]),
        chart('Connections', 'short', 'Of the connection pools, by state.', [
          'sum by (service, state) (postgres_pool_connections)',
          '{{service}} {{state}}',
        ]),
        chart('Memory', 'bytes', 'Resident memory of the largest instance.', [
          'max by (service) (process_resident_memory_bytes)',
          '{{service}}',
        ]),
        chart('CPU', 'short', 'Cores in use.', [
          'sum by (service) (rate(process_cpu_seconds_total[5m]))',
          '{{service}}',
        ]),
        chart('Instances', 'none', 'Instances that report metrics.', [
          'count by (service) (process_start_time_seconds)',
          '{{service}}',
        ]),
        chart(
          'Instances of competition-read',
          'none',
          'Those with reads and those that apply changes, which report themselves as one service.',
          ['count(competition_read_answers_kept_bytes)', 'reads'],
          ['count(competition_read_change_pace_ratio)', 'changes'],
        ),
      ],
    },
  ],
};

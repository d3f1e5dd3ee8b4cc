import { Dashboard, chart } from './dashboard';

/** Reads of competition data, and how current it is. */
export const competitionReads: Dashboard = {
  name: 'competition-reads',
  title: 'competition reads',
  variables: [{ name: 'operation', label: 'Operation', metric: 'competition_read_requests_total' }],
  rows: [
    {
      title: 'Reads',
      panels: [
        chart('Rate', 'reqps', 'By operation.', [
          'sum by (operation) (rate(competition_read_requests_total{operation=~"$operation"}[5m]))',
          '{{operation}}',
        ]),
        chart('Errors', 'reqps', 'Answers 5XX.', [
          'sum by (operation, status) (rate(competition_read_requests_total{operation=~"$operation",status=~"5.."}[5m]))',
          '{{operation}} {{status}}',
        ]),
        chart('Duration', 's', '99 % of the reads of an operation.', [
          'histogram_quantile(0.99, sum by (operation, le) (rate(competition_read_request_seconds_bucket{operation=~"$operation"}[5m])))',
          '{{operation}}',
        ]),
        chart('By status', 'reqps', 'Responses by HTTP status.', [
          'sum by (status) (rate(competition_read_requests_total[5m]))',
          '{{status}}',
        ]),
        chart('In progress', 'short', 'Reads at the gateways.', ['sum(gateway_reads_under_way{kind="data"})', 'reads']),
        chart('Reads in a request', 'short', 'Reads that come together, on average, without those that come alone.', [
          'sum(rate(gateway_read_batch_reads_sum[5m])) / sum(rate(gateway_read_batch_reads_count[5m]))',
          'reads',
        ]),
        chart(
          'Sent again alone',
          'reqps',
          'Reads that a request of several left without an answer, or that are too large for it.',
          ['sum by (reason) (rate(gateway_reads_sent_again_total[5m]))', '{{reason}}'],
        ),
        chart('In progress in the service', 'short', 'Reads by instance, which the autoscaler follows.', [
          'competition_read_reads_in_progress',
          '{{pod}}',
        ]),
        chart('Answer cache', 'reqps', 'Cached answers, answers computed again after a change, and new answers.', [
          'sum by (outcome) (rate(competition_read_answers_total[5m]))',
          '{{outcome}}',
        ]),
        chart('Documents in memory', 'percentunit', 'Share of returned documents that were in memory.', [
          'sum(rate(competition_read_documents_total{outcome="hit"}[5m])) / sum(rate(competition_read_documents_total[5m]))',
          'share',
        ]),
        chart(
          'Places in rankings',
          'reqps',
          'How pages in the middle of rankings are found: by parts in memory, by counts in Postgres, or by counts because the parts had changed.',
          ['sum by (outcome) (rate(competition_read_ranking_places_total[5m]))', '{{outcome}}'],
        ),
      ],
    },
    {
      title: 'Projection',
      panels: [
        chart('Out of date', 's', 'Age of the oldest change that is not applied.', [
          'max(kafka_consumer_lag_seconds{group="competition-read.projection"})',
          'age',
        ]),
        chart('Changes', 'reqps', 'By outcome.', [
          'sum by (outcome) (rate(competition_read_changes_total[5m]))',
          '{{outcome}}',
        ]),
        chart('Time of a batch', 's', '95 % of the transactions.', [
          'histogram_quantile(0.95, sum by (le) (rate(competition_read_batch_seconds_bucket[5m])))',
          '95 %',
        ]),
        chart('Pace of changes', 'percentunit', 'Share of the time for changes; it falls while they slow reads down.', [
          'min by (pod) (competition_read_change_pace_ratio)',
          '{{pod}}',
        ]),
        chart('Rebuild due', 'none', '1: the tables were built by another projection.', [
          'max(competition_read_rebuild_due)',
          'due',
        ]),
        chart('Waiting for Postgres', 's', 'Time until 95 % of callers have a connection.', [
          'histogram_quantile(0.95, sum by (pool, le) (rate(postgres_pool_wait_seconds_bucket{service="competition-read"}[5m])))',
          '{{pool}}',
        ]),
      ],
    },
  ],
};

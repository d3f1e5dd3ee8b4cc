import { Dashboard, chart } from './dashboard';

/** Engagement: applied events, awards, memberships, due times. */
export const engine: Dashboard = {
  name: 'engine',
  title: 'engine',
  rows: [
    {
      title: 'Events',
      panels: [
        chart('Applied', 'reqps', 'By outcome.', [
          'sum by (outcome) (rate(engagement_events_total[5m]))',
          '{{outcome}}',
        ]),
        chart('Receipt to effect', 's', 'From the gateway to the committed effect; the objective is 99 % within 5 s.', [
          'histogram_quantile(0.99, sum by (le) (rate(engagement_accept_to_apply_seconds_bucket[5m])))',
          '99 %',
        ]),
        chart('Time of a batch', 's', '95 % of the transactions.', [
          'histogram_quantile(0.95, sum by (le) (rate(engagement_batch_seconds_bucket[5m])))',
          '95 %',
        ]),
        chart('Events in a batch', 'short', 'On average.', [
          'sum(rate(engagement_batch_events_sum[5m])) / sum(rate(engagement_batch_events_count[5m]))',
          'events',
        ]),
        chart('Inbox', 'short', 'Approximate number of events.', ['max(engagement_inbox_rows)', 'rows']),
        chart('Expired', 'short', 'Stored events deleted at the end of their retention, each hour.', [
          'sum(increase(engagement_expired_events_total[1h]))',
          'events',
        ]),
      ],
    },
    {
      title: 'Awards',
      panels: [
        chart('Issued', 'short', 'Each 5 min.', ['sum(increase(engagement_awards_total[5m]))', 'awards']),
        chart('Receipt to award', 's', 'From the gateway to the committed award, 99 %.', [
          'histogram_quantile(0.99, sum by (le) (rate(engagement_accept_to_award_seconds_bucket[5m])))',
          '99 %',
        ]),
        chart('Paused by the engine', 'short', 'Tasks that award more than they may, until they are resumed.', [
          'max(engagement_tasks_paused_by_engine)',
          'tasks',
        ]),
        chart('Not evaluated', 'short', 'Published definitions that cannot be compiled.', [
          'max(engagement_definitions_left_out)',
          'definitions',
        ]),
        chart('Without a rate', 'short', 'Events with an amount that no rate converts, each hour.', [
          'sum(increase(engagement_events_without_rate_total[1h]))',
          'events',
        ]),
        chart('Results of the bonus engine', 'short', 'Each hour.', [
          'sum by (outcome) (increase(engagement_award_answers_total[1h]))',
          '{{outcome}}',
        ]),
      ],
    },
    {
      title: 'Segments and time',
      panels: [
        chart('Membership changes', 'short', 'Each 5 min, by reason.', [
          'sum by (reason) (increase(engagement_membership_changes_total[5m]))',
          '{{reason}}',
        ]),
        chart('Due times', 's', 'How long the oldest one has waited.', ['max(engagement_due_lag_seconds)', 'late']),
        chart(
          'Background work',
          'percentunit',
          'The part of its time that each instance gives to due users and backfills.',
          ['engagement_background_work_ratio', '{{pod}}'],
        ),
        chart('Outbox', 's', 'Age of the oldest award or membership that is not published.', [
          'max(outbox_oldest_age_seconds{service="engagement"})',
          'oldest',
        ]),
      ],
    },
  ],
};

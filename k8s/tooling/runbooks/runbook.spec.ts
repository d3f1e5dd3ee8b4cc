import { parseRunbook } from './runbook';

it('reads title, sections, queries, commands and panels, and does not treat a comment in a block as a heading', () => {
  const page = [
    '# OutboxStuck',
    '## Query',
    'Dashboard "pipeline", panel "Oldest row":',
    '',
    '```promql',
    'max(outbox_oldest_age_seconds)',
    '```',
    '',
    'Dashboard "pipeline", panel "Redis" shows more.',
    '## Over when',
    '```sh',
    '## a comment',
    'npm run podium -- lag',
    '```',
    'More: [lag](../lag.md).',
  ];
  expect(parseRunbook('outbox-stuck', page.join('\n'))).toMatchObject({
    name: 'outbox-stuck',
    title: 'OutboxStuck',
    sections: [
      {
        heading: 'Query',
        queries: ['max(outbox_oldest_age_seconds)'],
        commands: [],
        panels: [
          { dashboard: 'pipeline', panel: 'Oldest row', query: 'max(outbox_oldest_age_seconds)' },
          { dashboard: 'pipeline', panel: 'Redis', query: undefined },
        ],
      },
      {
        heading: 'Over when',
        prose: 'More: [lag](../lag.md).',
        queries: [],
        commands: ['## a comment\nnpm run podium -- lag'],
        panels: [],
      },
    ],
  });
});

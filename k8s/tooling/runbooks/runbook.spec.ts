import { parseRunbook } from './runbook';

it('reads title and headings, and takes no comment of a block for one', () => {
  const page = [
    '# OutboxStandsStill',
    '## Meaning',
    '```sh',
    '## a comment',
    'npm run podium -- lag',
    '```',
    '## Impact',
  ];
  expect(parseRunbook('outbox-stands-still', page.join('\n'))).toEqual({
    name: 'outbox-stands-still',
    title: 'OutboxStandsStill',
    headings: ['Meaning', 'Impact'],
  });
});

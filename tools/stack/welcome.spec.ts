import { welcome } from './welcome';

const stack = {
  ...{ gateway_url: 'http://127.0.0.1:7400', platform: 'acme-bets', services: {} },
  ...{
    linked_user: { user_id: 'demo-user', platform_user_id: 'u-1' },
    demo_segment: { segment_id: 's-1', leave: { name: 'bet', attributes: [] } },
  },
  ...{
    demo_task: { task_id: 't-1', send: { name: 'deposit', attributes: [] } },
    demo_progress_task: { task_id: 't-2' },
  },
};

function podiumCommands(stackName?: string): string[] {
  return welcome(stack, '.stack/stack.json', stackName)
    .split('\n')
    .filter((line) => line.includes('npm run podium'))
    .map((line) => line.trim());
}

describe('the last output of npm start', () => {
  const commands = [
    'npm run podium -- awards list',
    'npm run podium -- segments members s-1',
    'npm run podium -- tasks explain t-1 --user demo-user',
    'npm run podium -- tasks progress t-2',
    'npm run podium -- segments explain s-1 --user demo-user',
  ];

  it('has commands for the first stack, and for one that .env names', () => {
    expect(podiumCommands()).toEqual(commands);
  });

  it('has commands for the stack that the environment names', () => {
    expect(podiumCommands('second')).toEqual(commands.map((command) => `STACK_NAME=second ${command}`));
  });
});

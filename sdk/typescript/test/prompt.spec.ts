import { PassThrough } from 'node:stream';
import { askIn } from '../src/command-line/prompt';
import { InputEndedError } from '../src/command-line/terminal';

/** Both ends of a terminal, without its own echo. */
function terminal(): { input: PassThrough; output: PassThrough; shown: () => string } {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = Object.assign(new PassThrough(), { isTTY: true });
  let shown = '';
  output.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  return { input, output, shown: () => shown };
}

describe('a question in a terminal', () => {
  it('does not show a secret while it is typed', async () => {
    const { input, output, shown } = terminal();
    const answer = askIn(input, output, 'Client secret: ', { isSecret: true });
    for (const key of 'canary\r') input.write(key);
    expect(await answer).toBe('canary');
    expect(shown()).toBe('Client secret: \n');
  });

  it('shows any other answer', async () => {
    const { input, output, shown } = terminal();
    const answer = askIn(input, output, 'Paste: ');
    input.write('text\r');
    expect(await answer).toBe('text');
    expect(shown()).toContain('Paste: ');
    expect(shown()).toContain('text');
  });

  it.each([
    ['Ctrl-D', '\u0004'],
    ['Ctrl-C', '\u0003'],
  ])('ends with an error at %s', async (_, key) => {
    const { input, output } = terminal();
    const answer = askIn(input, output, 'Paste: ');
    input.write(key);
    await expect(answer).rejects.toBeInstanceOf(InputEndedError);
  });
});

import { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { ByteBudget } from './byte-budget';
import { BodyReadOptions, readBody } from './read-body';

const generous: BodyReadOptions = { maxBytes: 100_000, timeoutMs: 10_000 };

function bodyOf(headers: IncomingMessage['headers'] = {}): PassThrough & IncomingMessage {
  return Object.assign(new PassThrough(), { headers }) as unknown as PassThrough & IncomingMessage;
}

describe('readBody', () => {
  it.each([
    ['nothing', []],
    ['one piece', ['whole']],
    ['byte by byte', Array.from({ length: 5_000 }, (_, at) => String(at % 10))],
    ['pieces of many sizes', ['a', 'b'.repeat(5_000), 'c', 'd'.repeat(60_000), 'e'.repeat(34_998)]],
  ])('gives what was sent as %s', async (_how, pieces) => {
    const body = bodyOf();
    const read = readBody(body, generous);
    for (const piece of pieces) {
      body.write(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
    body.end();
    expect((await read).toString()).toBe(pieces.join(''));
  });

  it('refuses one byte more than the limit', async () => {
    const body = bodyOf();
    const read = readBody(body, generous);
    body.write(Buffer.alloc(100_000));
    body.write('x');
    expect(await read).toBe('too_large');
  });

  it('refuses a body that is announced as too long before it arrives', async () => {
    expect(await readBody(bodyOf({ 'content-length': '100001' }), generous)).toBe('too_large');
    const chunked = bodyOf({ 'transfer-encoding': 'chunked' });
    chunked.end('whole');
    expect((await readBody(chunked, generous)).toString()).toBe('whole');
  });

  it('gives a body that has arrived whole, within the same limits', async () => {
    const received = (content: string): IncomingMessage => {
      const body = Object.assign(bodyOf(), { complete: true });
      body.write(content.slice(0, 3));
      body.end(content.slice(3));
      return body;
    };
    const budget = new ByteBudget(10);
    expect(String(await readBody(received('123456'), { ...generous, budget }))).toBe('123456');
    expect(await readBody(received('12345'), { ...generous, budget })).toBe('no_memory');
    expect(await readBody(received('123456'), { ...generous, maxBytes: 5 })).toBe('too_large');
    expect(await readBody(received(''), generous)).toHaveLength(0);
    budget.release(6);
    expect(budget.take(10)).toBe(true);
  });

  it('refuses a late body and an incomplete one', async () => {
    const slow = bodyOf();
    slow.write('begun');
    expect(await readBody(slow, { ...generous, timeoutMs: 20 })).toBe('too_slow');
    const broken = bodyOf();
    const read = readBody(broken, generous);
    broken.destroy(new Error('aborted'));
    expect(await read).toBe('gone');
    expect(await readBody(broken, generous)).toBe('gone');
  });

  it('reserves the budget of the bytes it holds, and releases it for a refused body', async () => {
    const budget = new ByteBudget(10);
    const first = bodyOf();
    const read = readBody(first, { ...generous, budget });
    first.end('123456');
    expect((await read).length).toBe(6);
    const second = bodyOf();
    second.write('12345');
    expect(await readBody(second, { ...generous, budget })).toBe('no_memory');
    budget.release(6);
    expect(budget.take(10)).toBe(true);
    expect(budget.take(1)).toBe(false);
  });

  it('reserves all memory that it allocates for a body that arrives in pieces, and in the end what the body takes', async () => {
    const budget = new ByteBudget(100_000);
    const free = (): number => {
      let bytes = 100_000;
      while (!budget.take(bytes)) bytes--;
      budget.release(bytes);
      return bytes;
    };
    const allocated: number[] = [];
    const allocate = jest.spyOn(Buffer, 'allocUnsafeSlow').mockImplementation((bytes) => {
      allocated.push(bytes);
      return Buffer.alloc(bytes);
    });
    const body = bodyOf({ 'transfer-encoding': 'chunked' });
    const read = readBody(body, { ...generous, budget });
    for (const piece of [20_000, 10_001]) {
      body.write(Buffer.alloc(piece, 'x'));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(allocated).toEqual([60_002]);
    expect(free()).toBe(100_000 - 60_002);
    const other = bodyOf();
    other.write(Buffer.alloc(40_000));
    expect(await readBody(other, { ...generous, budget })).toBe('no_memory');
    body.end();
    expect(await read).toEqual(Buffer.alloc(30_001, 'x'));
    expect(free()).toBe(100_000 - 30_001);
    allocate.mockRestore();
  });

  it('takes no more than is announced', async () => {
    const budget = new ByteBudget(30_000);
    const body = bodyOf({ 'content-length': '30000' });
    const read = readBody(body, { ...generous, budget });
    body.write(Buffer.alloc(20_000));
    await new Promise((resolve) => setImmediate(resolve));
    body.end(Buffer.alloc(10_000));
    expect(await read).toHaveLength(30_000);
    expect(budget.take(1)).toBe(false);
  });
});

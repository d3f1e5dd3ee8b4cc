import { RecentRequests } from './recent-requests';

describe('recent requests', () => {
  let nowMs = Date.UTC(2026, 2, 4);
  const url = (number: number): string => `a /data/v4/players/${number}?limit=20&offset=${number % 7}`;

  it('are known after they were added', () => {
    const requests = new RecentRequests(() => nowMs);
    expect(requests.has(url(1))).toBe(false);
    requests.add(url(1));
    expect(requests.has(url(1))).toBe(true);
    expect(requests.has(url(2))).toBe(false);
  });

  it('are told from others, and stay known among many', () => {
    const requests = new RecentRequests(() => nowMs);
    const numbers = Array.from({ length: 20_000 }, (_, number) => number);
    expect(numbers.filter((number) => requests.has(url(number)))).toEqual([]);
    for (const number of numbers) requests.add(url(number));
    // With 131,072 slots, about 7 % lose theirs to a later one.
    expect(numbers.filter((number) => requests.has(url(number))).length).toBeGreaterThan(18_000);
    expect(numbers.filter((number) => requests.has(url(number + 1_000_000)))).toEqual([]);
  });

  it('are replaced by later ones', () => {
    const requests = new RecentRequests(() => nowMs);
    requests.add(url(-1));
    for (let number = 0; number < 2_000_000 && requests.has(url(-1)); number++) requests.add(url(number));
    expect(requests.has(url(-1))).toBe(false);
  });

  it('are known for at least ten minutes, and no longer than twenty', () => {
    const requests = new RecentRequests(() => nowMs);
    nowMs += 9 * 60_000;
    requests.add(url(1));
    nowMs += 10 * 60_000;
    expect(requests.has(url(1))).toBe(true);
    nowMs += 60_000;
    expect(requests.has(url(1))).toBe(false);
    requests.add(url(2));
    nowMs += 25 * 60_000;
    expect(requests.has(url(2))).toBe(false);
  });

  it('have an empty text that is not known at first', () => {
    expect(new RecentRequests(() => nowMs).has('')).toBe(false);
  });
});

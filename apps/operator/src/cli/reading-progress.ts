const noteEveryMs = 5_000;

/** Says every five seconds how many records of a topic are read; called with the number of further ones. */
export function readingProgress(topic: string, total: number, note: (line: string) => void): (records: number) => void {
  let read = 0;
  let notedAtMs = Date.now();
  return (records) => {
    read += records;
    if (Date.now() - notedAtMs < noteEveryMs) return;
    notedAtMs = Date.now();
    note(`${topic}: ${read} records read, at most ${Math.max(0, total - read)} remaining`);
  };
}

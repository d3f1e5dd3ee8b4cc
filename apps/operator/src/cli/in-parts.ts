type Row = Record<string, unknown>;

/**
 * Sends a long list in parts of at most `atOnce` and shows what the API returns of them. When a part fails, those before it stay
 * done: they are shown before the failure is thrown. Returns what was shown.
 */
export async function inParts<Item>(
  items: readonly Item[],
  atOnce: number,
  send: (part: readonly Item[]) => Promise<Row>,
  show: (done: readonly Row[]) => void,
): Promise<readonly Row[]> {
  const done: Row[] = [];
  try {
    for (let at = 0; at < items.length; at += atOnce)
      done.push(...((await send(items.slice(at, at + atOnce))).items as Row[]));
  } finally {
    if (done.length > 0) show(done);
  }
  return done;
}

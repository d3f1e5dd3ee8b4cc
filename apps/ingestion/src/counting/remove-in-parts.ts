const rowsPerPart = 10_000;

/**
 * Deletes rows in parts, because each statement has a time limit.
 * @param removePart deletes at most so many rows, and returns how many there were
 */
export async function removeInParts(
  removePart: (limit: number) => Promise<{ rowCount: number | null }>,
): Promise<void> {
  for (let removed = rowsPerPart; removed === rowsPerPart;) {
    const { rowCount } = await removePart(rowsPerPart);
    removed = rowCount ?? 0;
  }
}

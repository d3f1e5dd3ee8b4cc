/** Ends the process with a message: the problem and the remedy. */
export function fail(sentence) {
  console.error(`Error: ${sentence}`);
  process.exit(1);
}

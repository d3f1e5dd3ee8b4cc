/** Ends the process with a sentence that says what is wrong and what to do. */
export function fail(sentence) {
  console.error(`Error: ${sentence}`);
  process.exit(1);
}

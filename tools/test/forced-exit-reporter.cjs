/** Jest only warns of a worker that it had to end by force; with this reporter the run fails. */
module.exports = class ForcedExitReporter {
  onRunStart() {
    this.realError = console.error;
    console.error = (...args) => {
      if (String(args[0]).includes('A worker process has failed to exit gracefully'))
        this.failure = new Error(
          'A worker of jest did not end by itself: something opened by its files is still open.',
        );
      this.realError.call(console, ...args);
    };
  }

  onRunComplete() {
    console.error = this.realError;
  }

  /** What jest asks for after the run; an error fails it. */
  getLastError() {
    return this.failure;
  }
};

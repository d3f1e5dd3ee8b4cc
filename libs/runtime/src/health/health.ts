/** State of the process: readiness reflects this service only, never another system. */
export class Health {
  private readonly gates = new Map<string, () => boolean>();
  private started = false;
  private draining = false;

  /** Adds a condition for readiness, for example a view that has caught up. */
  gate(name: string, open: () => boolean): void {
    this.gates.set(name, open);
  }

  markStarted(): void {
    this.started = true;
  }

  /** Readiness fails from now on, so that no new work is sent to this instance. */
  drain(): void {
    this.draining = true;
  }

  isDraining(): boolean {
    return this.draining;
  }

  hasStarted(): boolean {
    return this.started;
  }

  /** The reasons why the instance is not ready; empty when it is. */
  reasons(): string[] {
    if (this.draining) return ['draining'];
    if (!this.started) return ['starting'];
    return [...this.gates].filter(([, open]) => !open()).map(([name]) => name);
  }
}

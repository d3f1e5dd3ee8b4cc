/** Own state of the process: readiness is this service's, never that of another system. */
export class Health {
  private readonly gates = new Map<string, () => boolean>();
  private started = false;
  private draining = false;

  /** Names a condition that must hold before the instance is ready, for example a view that has caught up. */
  gate(name: string, open: () => boolean): void {
    this.gates.set(name, open);
  }

  markStarted(): void {
    this.started = true;
  }

  /** From here on readiness fails, so that no new work is sent here. */
  drain(): void {
    this.draining = true;
  }

  isDraining(): boolean {
    return this.draining;
  }

  hasStarted(): boolean {
    return this.started;
  }

  /** Why the instance is not ready; empty when it is. */
  reasons(): string[] {
    if (this.draining) return ['draining'];
    if (!this.started) return ['starting'];
    return [...this.gates].filter(([, open]) => !open()).map(([name]) => name);
  }
}

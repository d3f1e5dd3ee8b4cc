/** Values by platform and event name. */
export class ByEvent<Value> {
  private readonly byPlatform = new Map<string, Map<string, Value>>();

  get(platform: string, name: string): Value | undefined {
    return this.byPlatform.get(platform)?.get(name);
  }

  /** The value, which is made when there is none. */
  getOrAdd(platform: string, name: string, make: () => Value): Value {
    const names = this.byPlatform.get(platform) ?? new Map<string, Value>();
    this.byPlatform.set(platform, names);
    const value = names.get(name) ?? make();
    names.set(name, value);
    return value;
  }

  /** The same keys with other values. */
  map<Other>(change: (value: Value, platform: string, name: string) => Other): ByEvent<Other> {
    const changed = new ByEvent<Other>();
    for (const [platform, names] of this.byPlatform)
      for (const [name, value] of names) changed.getOrAdd(platform, name, () => change(value, platform, name));
    return changed;
  }
}

import { UserView } from './user-history';

/** What is computed once for each view of a user, by key. */
export class PerView<Key, Value> {
  private readonly known = new WeakMap<UserView, Map<Key, Value>>();

  of(view: UserView, key: Key, make: () => Value): Value {
    let ofView = this.known.get(view);
    if (ofView === undefined) this.known.set(view, (ofView = new Map()));
    let value = ofView.get(key);
    if (value === undefined) ofView.set(key, (value = make()));
    return value;
  }
}

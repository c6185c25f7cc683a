type Place = 'localStorage' | 'sessionStorage';

/** Undefined if there is no value, or if the browser forbids storage. */
export function stored(place: Place, key: string): string | undefined {
  try {
    return globalThis[place].getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** An undefined value removes the key. False if the browser forbids storage. */
export function store(place: Place, key: string, value: string | undefined): boolean {
  try {
    if (value === undefined) globalThis[place].removeItem(key);
    else globalThis[place].setItem(key, value);
    return true;
  } catch {
    return false;
  }
}

/** The keys of what people have typed and not saved begin with it. */
export const DRAFTS = 'draft ';

/** On a log-out: the next person at this browser reads none. */
export function forgetDrafts(): void {
  try {
    const keys = Object.keys(globalThis.localStorage).filter((key) => key.startsWith(DRAFTS));
    for (const key of keys) store('localStorage', key, undefined);
  } catch {
    // The browser forbids storage, and has kept none.
  }
}

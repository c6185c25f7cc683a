type Place = 'localStorage' | 'sessionStorage';

/** Undefined if there is no value, or if the browser forbids storage. */
export function stored(place: Place, key: string): string | undefined {
  try {
    return window[place].getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** An undefined value removes the key. False if the browser forbids storage. */
export function store(place: Place, key: string, value: string | undefined): boolean {
  try {
    if (value === undefined) window[place].removeItem(key);
    else window[place].setItem(key, value);
    return true;
  } catch {
    return false;
  }
}

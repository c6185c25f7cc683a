import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { keyOf } from './key-names.ts';
import { store, stored } from './stored.ts';

/** In these, letters have a meaning of their own. */
const TYPING = 'textarea, select, input:not([type="radio"], [type="checkbox"]), [contenteditable]';
const POPUPS = '[role="dialog"], [role="menu"], dialog';

/**
 * Does what belongs to a key, by its `keyOf`, when it is pressed outside of dialogs.
 * Keys of the `window` act after those of a page, and only where the page has none.
 */
export function useKeys(
  actions: Readonly<Record<string, (() => void) | undefined>>,
  place: Document | Window = document,
): void {
  const [areOn] = useKeysAreOn();
  const press = useEffectEvent((event: KeyboardEvent) => {
    const target = event.target instanceof Element ? event.target : null;
    if (event.defaultPrevented || event.repeat || target?.closest(POPUPS)) return;
    const key = keyOf(event, target?.closest(TYPING) != null, areOn);
    const act = key === null ? undefined : actions[key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    const listener = (event: Event) => press(event as KeyboardEvent);
    place.addEventListener('keydown', listener);
    return () => place.removeEventListener('keydown', listener);
  }, [place]);
}

const STORED = 'letter keys';
const listeners = new Set<() => void>();

/** Whether letters act, as this browser remembers it. Software for speech input presses letters by mistake. */
export function useKeysAreOn(): [areOn: boolean, setOn: (areOn: boolean) => void] {
  const areOn = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => stored('localStorage', STORED) !== 'off',
  );
  const setOn = (on: boolean) => {
    store('localStorage', STORED, on ? undefined : 'off');
    for (const listener of listeners) listener();
  };
  return [areOn, setOn];
}

import { useEffect, useEffectEvent } from 'react';

/** In these, keys have a meaning of their own. */
const OWN_KEYS = 'input, select, textarea, [contenteditable], [role="dialog"], [role="menu"], dialog';

/** Does what belongs to a key, in lower case, while it is pressed alone and outside of fields and dialogs. */
export function useKeys(actions: Readonly<Record<string, (() => void) | undefined>>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, target, defaultPrevented, ctrlKey, metaKey, altKey } = event;
    if (defaultPrevented || ctrlKey || metaKey || altKey) return;
    if (target instanceof Element && target.closest(OWN_KEYS)) return;
    const act = actions[key.toLowerCase()];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}

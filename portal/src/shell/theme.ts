import { useSyncExternalStore } from 'react';
import { store } from '../ui/stored.ts';

export type ThemeChoice = 'system' | 'light' | 'dark';

const listeners = new Set<() => void>();

function chosen(): ThemeChoice {
  const theme = document.documentElement.dataset.theme;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/** `theme.js` applies it before the first paint of the next page. */
export function chooseTheme(choice: ThemeChoice): void {
  if (choice === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
  store('localStorage', 'theme', choice === 'system' ? undefined : choice);
  for (const listener of listeners) listener();
}

export function useTheme(): ThemeChoice {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, chosen);
}

import { useSyncExternalStore } from 'react';

let shown = '';
const listeners = new Set<() => void>();

/** Names the page: in the window's title and in the bar of narrow windows. */
export function setPageTitle(title: string): void {
  document.title = `${title} · Agent Runtime`;
  shown = title;
  for (const listener of listeners) listener();
}

export function usePageTitle(): string {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
}

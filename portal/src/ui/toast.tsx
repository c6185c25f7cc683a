import { useSyncExternalStore } from 'react';

const SHOWN_MS = 5_000;

let shown: { text: string; number: number } | null = null;
let number = 0;
const listeners = new Set<() => void>();

/** Shows a message for five seconds and announces it to screen readers. */
export function announce(text: string): void {
  const toast = { text, number: ++number };
  show(toast);
  setTimeout(() => {
    if (shown === toast) show(null);
  }, SHOWN_MS);
}

function show(toast: typeof shown): void {
  shown = toast;
  for (const listener of listeners) listener();
}

/** Rendered once in the page. */
export function Toasts() {
  const toast = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
  return (
    <div className="toasts" role="status">
      {toast && (
        <div key={toast.number} className="toast">
          {toast.text}
        </div>
      )}
    </div>
  );
}

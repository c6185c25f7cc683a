import { store, stored } from '../ui/stored.ts';

const KEY = 'reloaded-for-chunk';
/** A second failure within this time is a fault, not a new version. */
const PAUSE_MS = 30_000;

/** Reloads the page once when a chunk is missing: an update of the server removes the old chunks. */
export function reloadOnMissingChunk(): void {
  window.addEventListener('vite:preloadError', () => {
    const last = Number(stored('sessionStorage', KEY) ?? 0);
    if (Date.now() - last < PAUSE_MS) return; // The router shows the error.
    // Without storage the page would reload endlessly.
    if (store('sessionStorage', KEY, String(Date.now()))) window.location.reload();
  });
}

import { store, stored } from '../ui/stored.ts';

const KEY = 'reloaded-for-chunk';
/** A second failure within this time is no new version but a fault. */
const PAUSE_MS = 30_000;

/** After an update of the server, an open page asks for chunks that are gone: reloads it once. */
export function reloadOnMissingChunk(): void {
  window.addEventListener('vite:preloadError', () => {
    const last = Number(stored('sessionStorage', KEY) ?? 0);
    if (Date.now() - last < PAUSE_MS) return; // The router shows the error.
    // Without it the page would reload again and again.
    if (store('sessionStorage', KEY, String(Date.now()))) window.location.reload();
  });
}

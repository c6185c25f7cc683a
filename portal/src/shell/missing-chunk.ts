const KEY = 'reloaded-for-chunk';
/** A second failure within this time is no new version but a fault. */
const PAUSE_MS = 30_000;

/** After an update of the server, an open page asks for chunks that are gone: reloads it once. */
export function reloadOnMissingChunk(): void {
  window.addEventListener('vite:preloadError', () => {
    const last = Number(sessionStorage.getItem(KEY) ?? 0);
    if (Date.now() - last < PAUSE_MS) return; // The router shows the error.
    sessionStorage.setItem(KEY, String(Date.now()));
    window.location.reload();
  });
}

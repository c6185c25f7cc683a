import { basePath } from '../api/client.ts';
import { t } from '../language/index.ts';
import { store, stored } from '../ui/stored.ts';

const KEY = 'reloaded-for-chunk';
/** A second failure within this time is a fault, not a new version. */
const PAUSE_MS = 30_000;

/** Reloads the page once when a chunk is missing: an update of the server removes the old chunks. */
export function reloadOnMissingChunk(): void {
  window.addEventListener('vite:preloadError', () => void reloadOnce());
}

async function reloadOnce(): Promise<void> {
  const last = Number(stored('sessionStorage', KEY) ?? 0);
  // Without a server the browser would replace the page by its own error.
  if (Date.now() - last < PAUSE_MS || !(await isServerReachable())) return;
  // Without storage the page would reload endlessly.
  if (store('sessionStorage', KEY, String(Date.now()))) window.location.reload();
}

async function isServerReachable(): Promise<boolean> {
  try {
    return (await fetch(`${basePath}healthz`, { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

/** A chunk whose failure the router shows: of the browser's own error it would reload the page, offline, too. */
export async function chunk<Module>(loading: Promise<Module>): Promise<Module> {
  try {
    return await loading;
  } catch (cause) {
    throw new Error(t('This page could not be loaded. Check the connection and try again.'), { cause });
  }
}

import { useSyncExternalStore } from 'react';

const printing = window.matchMedia('print');

function subscribe(onChange: () => void): () => void {
  printing.addEventListener('change', onChange);
  return () => printing.removeEventListener('change', onChange);
}

/** True while the page is laid out for paper, which no pointer reaches. */
export function usePrinting(): boolean {
  return useSyncExternalStore(subscribe, () => printing.matches);
}

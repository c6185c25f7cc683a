import { useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useSetSearch } from '../../ui/use-set-search.ts';

/** Hides the sidebar, for a display on a wall. The state is in the address, so that a link opens such a page. */
export function useFullScreen() {
  const isFull = useSearch({ from: '/shell/' }).full !== undefined;
  const setSearch = useSetSearch();
  const set = (full: '1' | undefined) => setSearch({ full });

  useEffect(() => {
    if (!isFull) return undefined;
    const root = document.documentElement;
    root.dataset.full = '';
    // Escape leaves the browser's full screen without a key event.
    const onChange = () => {
      if (document.fullscreenElement === null) set(undefined);
    };
    document.addEventListener('fullscreenchange', onChange);
    return () => {
      delete root.dataset.full;
      document.removeEventListener('fullscreenchange', onChange);
    };
  });

  const toggle = async () => {
    set(isFull ? undefined : '1');
    // If the browser refuses, the page fills its window.
    if (!isFull) await document.documentElement.requestFullscreen?.().catch(() => undefined);
    else if (document.fullscreenElement) await document.exitFullscreen();
  };
  return { isFull, toggle };
}

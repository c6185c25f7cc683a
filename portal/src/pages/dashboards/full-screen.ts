import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';

/** For a display on a wall: the sidebar is hidden. In the address, so that such a page can be opened by a link. */
export function useFullScreen() {
  const isFull = useSearch({ from: '/shell/' }).full !== undefined;
  const navigate = useNavigate();
  const set = (full: '1' | undefined) =>
    void navigate({ to: '.', search: (before) => ({ ...before, full }), replace: true });

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
    // Where the browser refuses, the page fills its window.
    if (!isFull) await document.documentElement.requestFullscreen?.().catch(() => undefined);
    else if (document.fullscreenElement) await document.exitFullscreen();
  };
  return { isFull, toggle };
}

import { useEffect, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { lazyDialog } from '../ui/lazy-dialog.tsx';

const Palette = lazyDialog(() => import('./palette.tsx'));

/** Ctrl+K, or Cmd+K on a Mac, loads and opens the command palette. */
export function PaletteShortcut() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      setOpen(true);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <Button look="quiet" icon="search" onClick={() => setOpen(true)}>
        Search <kbd className="small muted">Ctrl K</kbd>
      </Button>
      {open && <Palette onClose={() => setOpen(false)} />}
    </>
  );
}

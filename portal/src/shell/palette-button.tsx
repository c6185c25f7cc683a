import { type ReactNode, useEffect, useState } from 'react';
import { t } from '../language/index.ts';
import { Button } from '../ui/button.tsx';
import { lazyDialog } from '../ui/lazy-dialog.tsx';

const Palette = lazyDialog(() => import('./palette.tsx'));

/** The command palette while it is open, which Ctrl+K or Cmd+K opens, and a function that opens it. */
export function usePalette(): [palette: ReactNode, open: () => void] {
  const [isOpen, setOpen] = useState(false);
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
  return [isOpen && <Palette onClose={() => setOpen(false)} />, () => setOpen(true)];
}

export function PaletteButton({ onOpen }: { onOpen(): void }) {
  return (
    <Button look="quiet" icon="search" onClick={onOpen}>
      {t('Search')} <kbd className="small muted">Ctrl K</kbd>
    </Button>
  );
}

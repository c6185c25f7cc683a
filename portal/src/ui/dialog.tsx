import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { popups } from './popups.ts';

interface DialogProps {
  open: boolean;
  onClose(): void;
  title: string;
  description?: string;
  /** At the side of the page, over its whole height. */
  isDrawer?: boolean;
  /** It fills the window. */
  full?: boolean;
  children: ReactNode;
}

/** Modal. Escape, a press beside it and `onClose` close it. */
export function Dialog({ open, onClose, title, description, isDrawer = false, full = false, children }: DialogProps) {
  return (
    <Base.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Base.Portal container={popups()}>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className={`dialog stack${isDrawer ? ' drawer' : ''}${full ? ' full' : ''}`}>
          <Base.Title>{title}</Base.Title>
          {description && <Base.Description className="muted">{description}</Base.Description>}
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { popups } from './popups.ts';

interface DialogProps {
  open: boolean;
  onClose(): void;
  title: string;
  description?: string;
  /** `side`: over the whole height of the window. `full`: all of it. */
  place?: 'center' | 'side' | 'full';
  children: ReactNode;
}

/** Modal. Escape, a press beside it and `onClose` close it. */
export function Dialog({ open, onClose, title, description, place = 'center', children }: DialogProps) {
  return (
    <Base.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Base.Portal container={popups()}>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className={`dialog stack ${place}`}>
          <Base.Title>{title}</Base.Title>
          {description && <Base.Description className="muted">{description}</Base.Description>}
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

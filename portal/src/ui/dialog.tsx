import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { popups } from './popups.ts';

interface DialogProps {
  open: boolean;
  onClose(): void;
  title: string;
  description?: string;
  /** `side`: as high as the window. `full`: the whole window. */
  place?: 'center' | 'side' | 'full';
  /** The element that gets the focus on close; by default the one that had it before. */
  focusAfter?: () => HTMLElement | null;
  children: ReactNode;
}

/** A modal dialog. Escape and a click outside call `onClose`. */
export function Dialog({ open, onClose, title, description, place = 'center', focusAfter, children }: DialogProps) {
  return (
    <Base.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Base.Portal container={popups()}>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className={`dialog stack ${place}`} finalFocus={focusAfter}>
          <Base.Title>{title}</Base.Title>
          {description && <Base.Description className="muted">{description}</Base.Description>}
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { DialogFoot } from './dialog-foot.tsx';

interface ConfirmDialogProps {
  title: string;
  description: string;
  /** The label of the button that acts: "Delete". */
  act: string;
  look?: 'primary' | 'danger';
  /** When it throws, the dialog stays open and shows the message. */
  onAct(): Promise<void>;
  onClose(): void;
  /** The element that gets the focus on close, where the one that opened the dialog is gone then. */
  focusAfter?: () => HTMLElement | null;
  children?: ReactNode;
}

/** Asks before an action. */
export function ConfirmDialog({ title, description, act, look = 'danger', focusAfter, ...rest }: ConfirmDialogProps) {
  const { onAct, onClose, children } = rest;
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={description}
      {...(focusAfter !== undefined && { focusAfter })}
    >
      {children}
      <DialogFoot act={act} look={look} onAct={onAct} onClose={onClose} />
    </Dialog>
  );
}

/** The title of the page: the focus goes there when the row with the button is gone. */
export function pageTitle(): HTMLElement | null {
  return document.querySelector<HTMLElement>('main h1');
}

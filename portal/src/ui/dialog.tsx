import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactNode, useRef } from 'react';
import { t } from '../language/index.ts';
import { Button } from './button.tsx';
import { popups } from './popups.ts';
import { useTask } from './refusal.tsx';
import { ErrorNotice } from './states.tsx';
import { announce } from './toast.tsx';

interface DialogProps {
  open: boolean;
  onClose(): void;
  title: string;
  description?: string | undefined;
  /** `side`: as high as the window. `full`: the whole window. */
  place?: 'center' | 'side' | 'full';
  /** The dialog itself gets the focus first, and not a control, which may be far below or act. */
  focusesItself?: boolean;
  /** The element that gets the focus on close; null, and by default: the one that had it before. */
  focusAfter?: (() => HTMLElement | null) | undefined;
  children: ReactNode;
}

/** A modal dialog. Escape and a click outside call `onClose`. */
export function Dialog(props: DialogProps) {
  const { open, onClose, title, description, place = 'center', focusAfter, children } = props;
  const { focusesItself = place === 'side' } = props;
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Base.Portal container={popups()}>
        <Base.Backdrop className="backdrop" />
        <Base.Popup
          ref={popup}
          className={`dialog stack ${place}`}
          initialFocus={focusesItself ? popup : true}
          finalFocus={focusAfter}
        >
          <Base.Title>{title}</Base.Title>
          {description && <Base.Description className="muted">{description}</Base.Description>}
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

interface DialogFootProps {
  act: string;
  look?: 'primary' | 'danger';
  /** The dialog closes after it. When it throws, the dialog stays open and shows the message. */
  onAct(): Promise<void>;
  onClose(): void;
}

export function DialogFoot({ act, look = 'primary', onAct, onClose }: DialogFootProps) {
  const { error, isBusy, run } = useTask();
  const doIt = async () => {
    await onAct();
    onClose();
  };
  return (
    <>
      {error !== null && <ErrorNotice error={error} />}
      <div className="dialog-foot">
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <Button look={look} disabled={isBusy} onClick={() => void run(doIt)}>
          {act}
        </Button>
      </div>
    </>
  );
}

interface ConfirmDialogProps {
  title: string;
  description: string;
  /** The label of the button that acts: "Delete". */
  act: string;
  look?: 'primary' | 'danger';
  /** When it throws, the dialog stays open and shows the message. */
  onAct(): Promise<void>;
  onClose(): void;
  /** The element that gets the focus after the action, where the one that opened the dialog is gone then. */
  focusAfter?: (() => HTMLElement | null) | undefined;
  children?: ReactNode;
}

/** Asks before an action. It gets the focus itself: whoever presses a key too early changes nothing. */
export function ConfirmDialog({ title, description, act, look = 'danger', focusAfter, ...rest }: ConfirmDialogProps) {
  const { onAct, onClose, children } = rest;
  const isDone = useRef(false);
  const doIt = async () => {
    await onAct();
    isDone.current = true;
  };
  const afterwards = () => (isDone.current && focusAfter ? focusAfter() : null);
  return (
    <Dialog open onClose={onClose} title={title} description={description} focusesItself focusAfter={afterwards}>
      {children}
      <DialogFoot act={act} look={look} onAct={doIt} onClose={onClose} />
    </Dialog>
  );
}

interface ActDialogProps extends Omit<ConfirmDialogProps, 'onAct' | 'focusAfter'> {
  /** The request. */
  onAct(): Promise<unknown>;
  /** Runs after it: what the page shows is read anew. */
  invalidate(): Promise<void>;
  /** The announcement once it is done. */
  done: string;
}

/** Asks before a request that changes a row of the page, which may then be gone. */
export function ActDialog({ onAct, invalidate, done, ...rest }: ActDialogProps) {
  const act = async () => {
    await onAct();
    await invalidate();
    announce(done);
  };
  return <ConfirmDialog {...rest} onAct={act} focusAfter={pageTitle} />;
}

/** The title of the page: the focus goes there when the row with the button is gone. */
export function pageTitle(): HTMLElement | null {
  return document.querySelector<HTMLElement>('main h1');
}

import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { t } from '../language/index.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog, Dialog, pageTitle } from '../ui/dialog.tsx';
import { useTask } from '../ui/refusal.tsx';
import { ErrorNotice } from '../ui/states.tsx';
import { announce } from '../ui/toast.tsx';
import { SENDING_TEXTS, type SendingNoun } from './words.ts';

interface DeleteDialogProps {
  noun: SendingNoun;
  /** A sentence on what is lost, and what stays. */
  description: string;
  onDelete(): Promise<unknown>;
  invalidate(): Promise<void>;
  onClose(): void;
}

/** Asks before an alert or a digest is deleted, then leads to the others. */
export function DeleteDialog({ noun, description, onDelete, invalidate, onClose }: DeleteDialogProps) {
  const navigate = useNavigate();
  const act = async () => {
    await onDelete();
    await navigate({ to: `/${noun}s` });
    // The page of what is gone would ask for it once more.
    await new Promise(requestAnimationFrame);
    await invalidate();
    announce(SENDING_TEXTS[noun].deleted);
  };
  return (
    <ConfirmDialog
      title={SENDING_TEXTS[noun].askDelete}
      description={description}
      act={t('Delete')}
      onAct={act}
      onClose={onClose}
      focusAfter={pageTitle}
    />
  );
}

interface SendDialogProps<Result> {
  title: string;
  description: string;
  act: string;
  onSend(): Promise<Result>;
  onClose(): void;
  children(result: Result): ReactNode;
}

/** Asks before people get a message, and then shows what came of it. */
export function SendDialog<Result>({ title, description, act, onSend, onClose, children }: SendDialogProps<Result>) {
  const [result, setResult] = useState<Result | null>(null);
  const { error, isBusy, run } = useTask();
  const isDone = result !== null;
  return (
    <Dialog open onClose={onClose} title={title} description={isDone ? undefined : description}>
      <div role="status" className="stack">
        {isDone && children(result)}
      </div>
      {error !== null && <ErrorNotice error={error} />}
      <div className="dialog-foot">
        <Button onClick={onClose}>{isDone ? t('Close') : t('Cancel')}</Button>
        {!isDone && (
          <Button look="primary" disabled={isBusy} onClick={() => void run(async () => setResult(await onSend()))}>
            {isBusy ? t('Sending …') : act}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

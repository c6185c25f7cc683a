import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog, Dialog, pageTitle } from '../ui/dialog.tsx';
import { useTask } from '../ui/refusal.tsx';
import { ErrorNotice } from '../ui/states.tsx';
import { announce } from '../ui/toast.tsx';
import type { SendingNoun } from './page.tsx';

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
    announce(`The ${noun} was deleted`);
  };
  return (
    <ConfirmDialog
      title={`Delete this ${noun}?`}
      description={description}
      act="Delete"
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
        <Button onClick={onClose}>{isDone ? 'Close' : 'Cancel'}</Button>
        {!isDone && (
          <Button look="primary" disabled={isBusy} onClick={() => void run(async () => setResult(await onSend()))}>
            {isBusy ? 'Sending …' : act}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

/** "Its target gets a message", "It has no targets, so nobody gets a message" */
export function whoGets(targets: readonly unknown[], what: string): string {
  if (targets.length === 0) return 'It has no targets, so nobody gets a message.';
  return `${targets.length === 1 ? 'Its target gets' : `Its ${targets.length} targets get`} ${what}.`;
}

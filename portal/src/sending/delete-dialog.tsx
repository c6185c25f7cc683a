import { useNavigate } from '@tanstack/react-router';
import { ConfirmDialog, pageTitle } from '../ui/confirm-dialog.tsx';
import { announce } from '../ui/toast.tsx';
import type { SendingNoun } from './page-actions.tsx';

interface DeleteDialogProps {
  noun: SendingNoun;
  /** What is lost, and what stays. */
  description: string;
  onDelete(): Promise<{ error?: unknown }>;
  invalidate(): Promise<void>;
  onClose(): void;
}

/** Asks before an alert or a digest is deleted, then leads to the others. */
export function DeleteDialog({ noun, description, onDelete, invalidate, onClose }: DeleteDialogProps) {
  const navigate = useNavigate();
  const act = async () => {
    const { error } = await onDelete();
    if (error) throw error;
    await navigate({ to: `/${noun}s` });
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

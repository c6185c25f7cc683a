import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { useSave } from './use-save.ts';

interface DeleteCardProps {
  title: string;
  saving: ReturnType<typeof useSave>;
  onDeleted(): void;
}

export function DeleteCard({ title, saving, onDeleted }: DeleteCardProps) {
  const [isOpen, setOpen] = useState(false);
  const remove = async () => {
    const isGone = await saving.remove();
    setOpen(false);
    if (isGone) onDeleted();
  };
  return (
    <>
      <Button look="danger" icon="trash" onClick={() => setOpen(true)}>
        Delete
      </Button>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title="Delete this card?"
        description={`“${title}” leaves the dashboard for everybody. Its events stay.`}
      >
        <div className="dialog-foot">
          <Button onClick={() => setOpen(false)}>Keep it</Button>
          <Button look="danger" disabled={saving.isBusy} onClick={remove}>
            Delete card
          </Button>
        </div>
      </Dialog>
    </>
  );
}

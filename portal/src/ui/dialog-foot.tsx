import { useState } from 'react';
import { messageOf } from '../api/errors.ts';
import { Button } from './button.tsx';

interface DialogFootProps {
  act: string;
  look?: 'primary' | 'danger';
  /** The dialog closes after it. When it throws, the dialog stays open and shows the message. */
  onAct(): Promise<void>;
  onClose(): void;
}

export function DialogFoot({ act, look = 'primary', onAct, onClose }: DialogFootProps) {
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const run = async () => {
    setBusy(true);
    setFault(null);
    try {
      await onAct();
      onClose();
    } catch (error) {
      setFault(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <>
      <div role="alert">{fault && <p className="field-error">{fault}</p>}</div>
      <div className="dialog-foot">
        <Button onClick={onClose}>Cancel</Button>
        <Button look={look} disabled={isBusy} onClick={run}>
          {act}
        </Button>
      </div>
    </>
  );
}

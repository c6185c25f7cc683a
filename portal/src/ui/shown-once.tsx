import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { t } from '../language/index.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface ShownOnceProps {
  title: string;
  description?: string;
  /** The label of the button that closes it: "I have copied it". */
  act: string;
  onClose(): void;
  children: ReactNode;
}

/** Shows a secret this once. Only its button closes it: a slip of the hand, or the browser's Back, must not lose it. */
export function ShownOnce({ title, description, act, onClose, children }: ShownOnceProps) {
  const [isReminded, setReminded] = useState(false);
  const remind = () => {
    setReminded(true);
    return true;
  };
  useBlocker({ shouldBlockFn: remind, enableBeforeUnload: true });
  return (
    <Dialog open title={title} description={description} onClose={remind}>
      {children}
      <div role="alert">
        {isReminded && (
          <p className="notice">{t('This is shown only now. Copy it, then close with “{act}”.', { act })}</p>
        )}
      </div>
      <div className="dialog-foot">
        <Button look="primary" onClick={onClose}>
          {act}
        </Button>
      </div>
    </Dialog>
  );
}

import { useState } from 'react';
import { messageOf } from '../api/errors.ts';
import { useSession } from '../api/session.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { announce } from '../ui/toast.tsx';

export type SendingNoun = 'alert' | 'digest';
export type SendingDialog = 'send' | 'delete';

interface PageActionsProps {
  noun: SendingNoun;
  stored: { id: string; enabled: boolean };
  /** The label of the button that sends immediately. */
  sendLabel: string;
  onSwitch(enabled: boolean): Promise<{ error?: unknown }>;
  invalidate(): Promise<void>;
  onOpen(dialog: SendingDialog): void;
}

/** The buttons of an alert or a digest, for users who may change it. */
export function PageActions({ noun, stored, sendLabel, onSwitch, invalidate, onOpen }: PageActionsProps) {
  const { id, enabled } = stored;
  const { can } = useSession();
  const [isBusy, setBusy] = useState(false);
  const switchTo = async (next: boolean) => {
    setBusy(true);
    const { error } = await onSwitch(next);
    await invalidate();
    setBusy(false);
    announce(error ? messageOf(error) : `The ${noun} is switched ${next ? 'on' : 'off'}`);
  };
  if (!can('alerts:write')) return null;
  return (
    <div className="row">
      <Button icon="play" onClick={() => onOpen('send')}>
        {sendLabel}
      </Button>
      <Button disabled={isBusy} onClick={() => void switchTo(!enabled)}>
        {enabled ? 'Switch off' : 'Switch on'}
      </Button>
      <ButtonLink icon="edit" to={`/${noun}s/$id/edit`} params={{ id }}>
        Edit
      </ButtonLink>
      <Button look="danger" onClick={() => onOpen('delete')}>
        Delete
      </Button>
    </div>
  );
}

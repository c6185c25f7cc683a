import { useState } from 'react';
import { t } from '../../../language/index.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form, TextField, typing } from '../../../ui/field.tsx';
import { useTask } from '../../../ui/refusal.tsx';
import { ErrorNotice } from '../../../ui/states.tsx';

interface TypedDialogProps {
  title: string;
  description: string;
  /** The text to type: the name of what is lost. */
  name: string;
  act: string;
  /** The dialog closes after it. When it throws, the dialog stays open and shows the message. */
  onAct(): Promise<void>;
  onClose(): void;
}

/** Asks for a name to be typed before something is removed for good. */
export function TypedDialog({ title, description, name, act, onAct, onClose }: TypedDialogProps) {
  const [typed, setTyped] = useState('');
  const { error, isBusy, run } = useTask();
  const isTyped = typed === name;
  const submit = () => {
    if (isTyped && !isBusy) void run(() => onAct().then(onClose));
  };
  return (
    <Dialog open onClose={onClose} title={title} description={description}>
      <Form aria-label={title} onSubmit={submit}>
        <TextField
          label={t('Type {name} to go on', { name })}
          autoComplete="off"
          spellCheck={false}
          {...typing(typed, setTyped)}
        />
        {error !== null && <ErrorNotice error={error} />}
        <div className="dialog-foot">
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            type="submit"
            look="danger"
            disabled={isBusy}
            reason={isTyped ? undefined : t('Type {name} first.', { name })}
          >
            {isBusy ? t('At work …') : act}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

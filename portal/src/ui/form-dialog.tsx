import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { messagesByField, statusOf } from '../api/errors.ts';
import { type FieldMessages, NO_MESSAGES, placeMessages } from '../api/field-messages.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorNotice } from './states.tsx';

interface FormDialogProps {
  title: string;
  description?: string;
  /** The label of the button that submits: "Add". */
  act: string;
  /** The paths of the fields in the request: messages of the server appear at them. */
  paths: readonly string[];
  /** The dialog closes after it. When it throws, the dialog stays open and shows the message. */
  onSubmit(): Promise<void>;
  onClose(): void;
  children(messages: FieldMessages): ReactNode;
}

/** A form in a dialog. */
export function FormDialog({ title, description, act, paths, onSubmit, onClose, children }: FormDialogProps) {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const isInvalid = statusOf(error) === 400;
  const messages = isInvalid ? placeMessages(messagesByField(error), paths) : NO_MESSAGES;
  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await onSubmit();
      onClose();
    } catch (fault) {
      setError(fault);
      setBusy(false);
    }
  };
  return (
    <Dialog open onClose={onClose} title={title} {...(description !== undefined && { description })}>
      <form ref={form} className="stack" aria-label={title} noValidate onSubmit={submit}>
        {children(messages)}
        {error !== null && !isInvalid && <ErrorNotice error={error} />}
        {messages.others.length > 0 && (
          <div className="notice bad" role="alert">
            {messages.others.map((message) => (
              <span key={message}>{message}</span>
            ))}
          </div>
        )}
        <div className="dialog-foot">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={isBusy}>
            {act}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

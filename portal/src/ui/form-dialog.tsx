import { type ReactNode, type SubmitEvent, useRef } from 'react';
import { statusOf } from '../api/errors.ts';
import { type FieldMessages, fieldMessages } from '../api/field-messages.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { OtherMessages, useFocusOnRefusal, useTask } from './refusal.tsx';
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
  /** In place of the message of a 412: `BothVersions`. */
  conflict?: ReactNode;
  children(messages: FieldMessages): ReactNode;
}

/** A form in a dialog. */
export function FormDialog({ title, description, act, paths, onSubmit, onClose, conflict, children }: FormDialogProps) {
  const { error, isBusy, run } = useTask();
  const form = useRef<HTMLFormElement>(null);
  const messages = fieldMessages(error, paths);
  useFocusOnRefusal(form, error);

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void run(async () => {
      await onSubmit();
      onClose();
    });
  };
  return (
    <Dialog open onClose={onClose} title={title} description={description}>
      <form ref={form} className="stack" aria-label={title} noValidate onSubmit={submit}>
        {children(messages)}
        {statusOf(error) === 412 && conflict}
        {error !== null && statusOf(error) !== 400 && !(statusOf(error) === 412 && conflict) && (
          <ErrorNotice error={error} />
        )}
        <OtherMessages messages={messages.others} />
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

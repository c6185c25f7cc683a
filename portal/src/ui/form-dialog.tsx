import { type ReactNode, useRef, useState } from 'react';
import { statusOf } from '../api/errors.ts';
import { type FieldMessages, fieldMessages } from '../api/field-messages.ts';
import { t } from '../language/index.ts';
import { type Bound, bind, type Fields } from './bind.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Form } from './field.tsx';
import { LeaveGuard, LeaveQuestion } from './leave-guard.tsx';
import { OtherMessages, useFocusOnRefusal, useTask } from './refusal.tsx';
import { ErrorNotice } from './states.tsx';
import { announce } from './toast.tsx';

interface DialogFormProps {
  title: string;
  description?: string;
  /** The label of the button that submits: "Add". */
  act: string;
  /** The paths of the fields in the request: messages of the server appear at them. */
  paths: readonly string[];
  /** True if the form differs from the one that it began with: the dialog then asks before its changes are lost. */
  isChanged: boolean;
  /** The dialog closes after it. When it throws, the dialog stays open and shows the message. */
  onSubmit(): Promise<void>;
  onClose(): void;
  /** In place of the message of a 412: `BothVersions`, and null once theirs is taken. */
  conflict?: ReactNode;
  children(messages: FieldMessages): ReactNode;
}

/** A form in a dialog. Its content is held elsewhere. */
export function DialogForm(props: DialogFormProps) {
  const { title, description, act, paths, isChanged, onSubmit, onClose, conflict, children } = props;
  const { error, isBusy, run } = useTask();
  const [isLeaving, setLeaving] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const messages = fieldMessages(error, paths);
  const isConflict = conflict !== undefined && statusOf(error) === 412;
  useFocusOnRefusal(form, error);
  const submit = async () => {
    await onSubmit();
    onClose();
  };
  return (
    <Dialog open onClose={isChanged ? () => setLeaving(true) : onClose} title={title} description={description}>
      <Form ref={form} aria-label={title} onSubmit={() => void run(submit)}>
        {children(messages)}
        {isConflict && conflict}
        {error !== null && statusOf(error) !== 400 && !isConflict && <ErrorNotice error={error} />}
        <OtherMessages messages={messages.others} />
        <div className="dialog-foot">
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" look="primary" disabled={isBusy}>
            {act}
          </Button>
        </div>
      </Form>
      <LeaveGuard isDirty={() => isChanged} />
      <LeaveQuestion isOpen={isLeaving} onStay={() => setLeaving(false)} onLeave={onClose} />
    </Dialog>
  );
}

interface FormDialogProps<Content> extends Pick<DialogFormProps, 'title' | 'description' | 'act' | 'onClose'> {
  /** The form as the dialog opens. */
  start: Content;
  /** By default the names of the form's members. */
  paths?: readonly string[];
  onSubmit(form: Content): Promise<unknown>;
  /** Runs after it: what the page shows is read anew. */
  invalidate?(): Promise<void>;
  /** The announcement once it is done. */
  done?: string | ((form: Content) => string);
  children(form: Bound<Content> & { field: Fields<Content & object> }): ReactNode;
}

/** A dialog that holds a form, and binds its fields. */
export function FormDialog<Content extends object>(props: FormDialogProps<Content>) {
  const { start, paths = Object.keys(start), onSubmit, invalidate, done, children, ...dialog } = props;
  const [first] = useState(start);
  const [form, setForm] = useState(first);
  const isChanged = JSON.stringify(form) !== JSON.stringify(first);
  const onChange = (members: Partial<Content>) => setForm((before) => ({ ...before, ...members }));
  const submit = async () => {
    await onSubmit(form);
    await invalidate?.();
    if (done !== undefined) announce(typeof done === 'string' ? done : done(form));
  };
  return (
    <DialogForm {...dialog} paths={paths} isChanged={isChanged} onSubmit={submit}>
      {(messages) => children({ form, messages, onChange, field: bind({ form, messages, onChange }) })}
    </DialogForm>
  );
}

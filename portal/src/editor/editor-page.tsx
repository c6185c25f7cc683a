import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { messagesByField, statusOf } from '../api/errors.ts';
import { type FieldMessages, NO_MESSAGES, placeMessages } from '../api/field-messages.ts';
import { Button } from '../ui/button.tsx';
import { LeaveGuard } from '../ui/leave-guard.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { ErrorNotice } from '../ui/states.tsx';
import { changedOf } from './values.ts';

interface EditorFormProps {
  noun: 'alert' | 'digest' | 'metric' | 'segment';
  /** Of the stored one; null: a new one. */
  title: string | null;
  submitLabel?: string;
  editing: Pick<ReturnType<typeof useEditor>, 'element' | 'messages' | 'fault' | 'isBusy' | 'isDirty'>;
  onSave(): void;
  children: ReactNode;
}

/** The page of a form: its head with the button, the messages of a refusal that belong to no field, and its parts. */
export function EditorForm({ noun, title, submitLabel, editing, onSave, children }: EditorFormProps) {
  const { element, messages, fault, isBusy, isDirty } = editing;
  return (
    <form
      ref={element}
      className="narrow"
      noValidate
      aria-label={`The ${noun}`}
      onSubmit={(event) => {
        event.preventDefault();
        onSave();
      }}
    >
      <PageHead title={title === null ? `New ${noun}` : `Edit ${title}`}>
        <Button type="submit" look="primary" disabled={isBusy}>
          {submitLabel ?? (title === null ? `Create ${noun}` : 'Save')}
        </Button>
      </PageHead>
      <div className="stack">
        {fault !== null && <ErrorNotice error={fault} />}
        {messages.others.length > 0 && (
          <ul className="notice bad" role="alert">
            {messages.others.map((message) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        )}
        {children}
      </div>
      <LeaveGuard what={noun} isDirty={isDirty} />
    </form>
  );
}

interface Editing<Form, Request> {
  form: Form;
  change(members: Partial<Form>): void;
  /** Of the form element: after a refusal the first field with a message gets the focus. */
  element: RefObject<HTMLFormElement | null>;
  /** The server's messages at their fields. */
  messages: FieldMessages;
  /** A refusal that is about no field. */
  fault: unknown;
  isBusy: boolean;
  isDirty(): boolean;
  /** The members of the request that differ from those that the form began with. */
  changed(): Partial<Request>;
  /** Sends the form; an error becomes messages. `then` runs once it is saved: to leave the page loses nothing now. */
  save<Saved>(send: () => Promise<Saved>, then: (saved: Saved) => Promise<void>): Promise<void>;
}

/** A form of a page: what it holds, whether that is saved, and the server's messages. */
export function useEditor<Form, Request extends object>(
  start: Form,
  requestOf: (form: Form) => Request,
  pathsOf: (form: Form) => readonly string[],
): Editing<Form, Request> {
  const [form, setForm] = useState(start);
  // A refresh of the page's data may bring another start.
  const [first] = useState(() => requestOf(start));
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  const [saved, setSaved] = useState(() => JSON.stringify(first));
  const isInvalid = statusOf(error) === 400;
  const dirty = useRef(false);
  dirty.current = JSON.stringify(requestOf(form)) !== saved;
  useEffect(() => {
    if (error !== null) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  return {
    form,
    change: (members) => {
      setError(null);
      setForm((before) => ({ ...before, ...members }));
    },
    element,
    messages: isInvalid ? placeMessages(messagesByField(error), pathsOf(form)) : NO_MESSAGES,
    fault: isInvalid ? null : error,
    isBusy,
    isDirty: () => dirty.current,
    changed: () => changedOf(requestOf(form), first),
    save: async (send, then) => {
      setBusy(true);
      setError(null);
      try {
        const result = await send();
        setSaved(JSON.stringify(requestOf(form)));
        dirty.current = false;
        await then(result);
      } catch (refusal) {
        setError(refusal);
      }
      setBusy(false);
    },
  };
}

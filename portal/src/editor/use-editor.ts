import { type RefObject, useEffect, useRef, useState } from 'react';
import { messagesByField, statusOf } from '../api/errors.ts';
import { type FieldMessages, NO_MESSAGES, placeMessages } from '../question/messages.ts';
import { changedOf } from './changed.ts';

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

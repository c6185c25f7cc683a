import { type RefObject, useEffect, useRef, useState } from 'react';
import { messagesByField, statusOf } from '../api/errors.ts';
import { type FieldMessages, NO_MESSAGES, placeMessages } from '../question/messages.ts';

interface Editing<Form> {
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
  /** Sends the form; an error becomes messages. `then` runs once it is saved: to leave the page loses nothing now. */
  save<Saved>(send: () => Promise<Saved>, then: (saved: Saved) => Promise<void>): Promise<void>;
}

/** A form of a page: what it holds, whether that is saved, and the server's messages. */
export function useEditor<Form>(
  start: Form,
  requestOf: (form: Form) => object,
  pathsOf: (form: Form) => readonly string[],
): Editing<Form> {
  const [form, setForm] = useState(start);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  const [saved, setSaved] = useState(() => JSON.stringify(requestOf(start)));
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

/** The members of a request that differ from those before: a change sends only them. */
export function changedOf<Request extends object>(request: Request, before: object): Partial<Request> {
  const known = before as Record<string, unknown>;
  const changed = Object.entries(request).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(known[name]),
  );
  return Object.fromEntries(changed) as Partial<Request>;
}

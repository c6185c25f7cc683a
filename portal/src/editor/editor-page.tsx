import { Link } from '@tanstack/react-router';
import { type ReactNode, useRef, useState } from 'react';
import { statusOf } from '../api/errors.ts';
import { fieldMessages } from '../api/field-messages.ts';
import { type Scope, useSession } from '../api/session.ts';
import type { Bound } from '../ui/bind.ts';
import { Button } from '../ui/button.tsx';
import { Form } from '../ui/field.tsx';
import { LeaveGuard, unsaved } from '../ui/leave-guard.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { OtherMessages, useFocusOnRefusal, useTask } from '../ui/refusal.tsx';
import { ErrorNotice } from '../ui/states.tsx';
import { UnreadPage } from '../ui/unread-page.tsx';
import { changedOf } from './values.ts';

type Noun = 'alert' | 'digest' | 'metric' | 'segment';

interface EditorPageProps<Stored> {
  noun: Noun;
  /** The right to save it. */
  right: Scope;
  title?: string;
  /** The query of the stored one; absent for a new one. */
  query?: { data: Stored | undefined; error: unknown; refetch(): unknown };
  children(stored: Stored | null): ReactNode;
}

/** The page of a form, for users who may save it, once what is edited has been read. */
export function EditorPage<Stored>({ noun, right, title, query, children }: EditorPageProps<Stored>) {
  const { can } = useSession();
  const shownTitle = title ?? `${query ? 'Edit' : 'New'} ${noun}`;
  if (!can(right)) return <NotAllowed title={shownTitle} nouns={`${noun}s`} />;
  if (!query) return children(null);
  if (query.data !== undefined) return children(query.data);
  return (
    <UnreadPage title={shownTitle} noun={noun} query={query}>
      <Link to={`/${noun}s`}>All {noun}s</Link>
    </UnreadPage>
  );
}

export interface EditorFormProps<Form, Request, Saved> {
  noun: Noun;
  /** The title of the stored one; null for a new one. */
  title: string | null;
  submitLabel?: string;
  start: Form;
  requestOf(form: Form): Request;
  /** The paths of the fields in the request. */
  pathsOf(form: Form): readonly string[];
  /** Sends the form, or the members of the request that differ from those that the form began with. */
  send(form: Form, changed: Partial<Request>): Promise<Saved>;
  /** Runs once the form is saved: to leave the page loses nothing now. */
  onSaved(saved: Saved): Promise<void>;
  children(props: Bound<Form>): ReactNode;
}

/** The form of a page: its head with the button, the messages of a refusal that belong to no field, and its parts. */
export function EditorForm<Form, Request extends object, Saved>(props: EditorFormProps<Form, Request, Saved>) {
  const { noun, title, submitLabel, start, requestOf, pathsOf, send, onSaved, children } = props;
  const [form, setForm] = useState(start);
  // A refresh of the page's data may bring another start.
  const [first] = useState(() => requestOf(start));
  const [saved, setSaved] = useState(() => JSON.stringify(first));
  const { error, isBusy, run, forgetError } = useTask();
  const element = useRef<HTMLFormElement>(null);
  const isDirty = useRef(false);
  isDirty.current = JSON.stringify(requestOf(form)) !== saved;
  useFocusOnRefusal(element, error);

  const messages = fieldMessages(error, pathsOf(form));
  const save = async () => {
    const result = await send(form, changedOf(requestOf(form), first));
    setSaved(JSON.stringify(requestOf(form)));
    isDirty.current = false;
    await onSaved(result);
  };
  const change = (members: Partial<Form>) => {
    forgetError();
    setForm((before) => ({ ...before, ...members }));
  };
  return (
    <Form ref={element} className="narrow" aria-label={`The ${noun}`} onSubmit={() => void run(save)}>
      <PageHead title={title === null ? `New ${noun}` : `Edit ${title}`}>
        <Button type="submit" look="primary" disabled={isBusy}>
          {submitLabel ?? (title === null ? `Create ${noun}` : 'Save')}
        </Button>
      </PageHead>
      <div className="stack">
        {error !== null && statusOf(error) !== 400 && <ErrorNotice error={error} />}
        <OtherMessages messages={messages.others} />
        {children({ form, messages, onChange: change })}
      </div>
      <LeaveGuard isDirty={() => isDirty.current} asked={unsaved(noun)} />
    </Form>
  );
}

interface NotAllowedProps {
  title: string;
  /** The things that the form would change: "alerts". */
  nouns: string;
}

/** The page of a form for users whose role has no right to save it. */
function NotAllowed({ title, nouns }: NotAllowedProps) {
  return (
    <>
      <PageHead title={title} />
      <p className="notice">
        Your role lets you look at {nouns}, not change them. An administrator can give you a role that may.
      </p>
    </>
  );
}

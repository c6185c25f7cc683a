import { Link } from '@tanstack/react-router';
import { type ReactNode, useRef, useState } from 'react';
import { statusOf } from '../api/errors.ts';
import { fieldMessages } from '../api/field-messages.ts';
import { type Scope, useSession } from '../api/session.ts';
import { t } from '../language/index.ts';
import type { Bound } from '../ui/bind.ts';
import { Button } from '../ui/button.tsx';
import { Form } from '../ui/field.tsx';
import { LeaveGuard } from '../ui/leave-guard.tsx';
import { NOUNS } from '../ui/nouns.ts';
import { PageHead } from '../ui/page-head.tsx';
import { OtherMessages, useFocusOnRefusal, useTask } from '../ui/refusal.tsx';
import { ErrorNotice } from '../ui/states.tsx';
import { UnreadPage } from '../ui/unread-page.tsx';
import { changedOf } from './values.ts';

/** Things with a page that edits them. */
type EditedNoun = 'alert' | 'digest' | 'metric' | 'segment';

interface EditorPageProps<Stored> {
  noun: EditedNoun;
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
  const texts = NOUNS[noun];
  const shownTitle = title ?? (query ? texts.edit : texts.add);
  if (!can(right)) {
    return (
      <>
        <PageHead title={shownTitle} />
        <p className="notice">{texts.notEditable}</p>
      </>
    );
  }
  if (!query) return children(null);
  if (query.data !== undefined) return children(query.data);
  return (
    <UnreadPage title={shownTitle} missing={texts.missing} query={query}>
      <Link to={`/${noun}s`}>{texts.all}</Link>
    </UnreadPage>
  );
}

export interface EditorFormProps<Form, Request, Saved> {
  noun: EditedNoun;
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
  const texts = NOUNS[noun];
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
    <Form ref={element} className="narrow" aria-label={texts.form} onSubmit={() => void run(save)}>
      <PageHead title={title === null ? texts.add : t('Edit {title}', { title })}>
        <Button type="submit" look="primary" disabled={isBusy}>
          {submitLabel ?? (title === null ? texts.create : t('Save'))}
        </Button>
      </PageHead>
      <div className="stack">
        {error !== null && statusOf(error) !== 400 && <ErrorNotice error={error} />}
        <OtherMessages messages={messages.others} />
        {children({ form, messages, onChange: change })}
      </div>
      <LeaveGuard isDirty={() => isDirty.current} />
    </Form>
  );
}

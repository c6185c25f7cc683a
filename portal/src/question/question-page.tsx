import { type KeyboardEvent, type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { messagesByField, statusOf } from '../api/errors.ts';
import { type FieldMessages, NO_MESSAGES, placeMessages } from '../api/field-messages.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState, ErrorNotice } from '../ui/states.tsx';
import { readQuestion } from './state/text.ts';

interface QuestionFormProps {
  label: string;
  isBusy: boolean;
  onRun(): void;
  children: ReactNode;
}

/** Runs by its button, by Enter in a text field, and by Ctrl+Enter (Cmd+Enter on a Mac) anywhere in it. */
export function QuestionForm({ label, isBusy, onRun, children }: QuestionFormProps) {
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onRun();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    onRun();
  };
  return (
    <form className="panel padded stack" aria-label={label} onSubmit={submit} onKeyDown={onKeyDown}>
      {children}
      <div className="row">
        <Button type="submit" look="primary" icon="play">
          {isBusy ? 'Running …' : 'Run'}
        </Button>
        <span className="small muted">or Ctrl+Enter</span>
      </div>
    </form>
  );
}

/** The server's messages about the question, by the paths of the form's fields. */
export function fieldMessages(error: unknown, shown: Iterable<string>): FieldMessages {
  return statusOf(error) === 400 ? placeMessages(messagesByField(error), shown) : NO_MESSAGES;
}

/** Shown instead of an answer, with the messages that have no field in the form. */
export function QuestionFault({
  error,
  messages,
  onRetry,
}: {
  error: unknown;
  messages: FieldMessages;
  onRetry(): void;
}) {
  if (statusOf(error) !== 400) return <ErrorNotice error={error} onRetry={onRetry} />;
  return (
    <div className="notice bad" role="alert">
      {messages.others.length > 0
        ? messages.others.map((message) => <span key={message}>{message}</span>)
        : 'The question cannot be answered like this. The field to change has a message.'}
    </div>
  );
}

/** Shown instead of an answer while no event is chosen; `next` says what to do. */
export function NoQuestion({ text, next }: { text: string | undefined; next: string }) {
  const isUnreadable = text !== undefined && readQuestion(text) === null;
  return (
    <div className="panel">
      <EmptyState title={isUnreadable ? 'The question in the address is not a JSON object' : 'No question yet'}>
        <p>{next}</p>
      </EmptyState>
    </div>
  );
}

/** A form that starts with the question in the address, and follows the address when it changes other than by `ask`. */
export function useForm<Form>(
  text: string | undefined,
  formOf: (text: string | undefined) => Form,
  navigate: (text: string) => void,
): [form: Form, setForm: (form: Form) => void, ask: (text: string) => void] {
  const [form, setForm] = useState(() => formOf(text));
  const known = useRef(text);
  useEffect(() => {
    if (text !== known.current) setForm(formOf(text));
    known.current = text;
  }, [text, formOf]);
  const ask = (next: string) => {
    known.current = next;
    navigate(next);
  };
  return [form, setForm, ask];
}

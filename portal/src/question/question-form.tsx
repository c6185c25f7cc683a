import type { KeyboardEvent, ReactNode, SubmitEvent } from 'react';
import { messagesByField, statusOf } from '../api/errors.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/states.tsx';
import { type FieldMessages, NO_MESSAGES, placeMessages } from './messages.ts';

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

import type { KeyboardEvent, ReactNode, SubmitEvent } from 'react';
import { messagesByField, statusOf } from '../../api/errors.ts';
import { type FieldMessages, NO_MESSAGES, placeMessages } from '../../question/messages.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/states.tsx';

interface QuestionFormProps {
  label: string;
  isBusy: boolean;
  onRun(): void;
  children: ReactNode;
}

/** Runs with its button, with Enter in a text field, and with Ctrl+Enter (on a Mac Cmd+Enter) anywhere. */
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

/** What the server objects to in the question, by the paths of the fields that the form shows. */
export function fieldMessages(error: unknown, shown: Iterable<string>): FieldMessages {
  return statusOf(error) === 400 ? placeMessages(messagesByField(error), shown) : NO_MESSAGES;
}

/** In place of an answer. The messages that belong to no field are here. */
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

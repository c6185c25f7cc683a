import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { LeaveGuard } from '../ui/leave-guard.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { ErrorNotice } from '../ui/states.tsx';
import type { useEditor } from './use-editor.ts';

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

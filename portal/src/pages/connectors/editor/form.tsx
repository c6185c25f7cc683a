import { type ReactNode, useMemo, useRef } from 'react';
import { messagesByField, statusOf } from '../../../api/errors.ts';
import { fieldMessages } from '../../../api/field-messages.ts';
import { t } from '../../../language/index.ts';
import { Button } from '../../../ui/button.tsx';
import { Form } from '../../../ui/field.tsx';
import { LeaveGuard } from '../../../ui/leave-guard.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { useFocusOnRefusal, useTask } from '../../../ui/refusal.tsx';
import { ErrorNotice } from '../../../ui/states.tsx';
import { type Draft, PATHS } from './definition.ts';
import { DefinitionFields } from './fields.tsx';
import { lineOfPath, linesOfMembers } from './json-lines.ts';
import { JsonPane, type LineMessage } from './json-pane.tsx';
import { ResourceFields } from './resource-fields.tsx';
import { resourcesOf } from './resources.ts';
import type { EditedDraft } from './use-draft.ts';

const RESOURCE_MEMBERS = ['method', 'path', 'description'];

interface DefinitionFormProps {
  title: string;
  act: string;
  isNew: boolean;
  edited: EditedDraft;
  conflict?: ReactNode;
  onSave(draft: Draft): Promise<void>;
}

/** The fields of a definition beside its JSON. A change in one shows in the other. */
export function DefinitionForm({ title, act, isNew, edited, conflict, onSave }: DefinitionFormProps) {
  const { draft, text, fault } = edited;
  const { error, isBusy, run, forgetError } = useTask();
  const element = useRef<HTMLFormElement>(null);
  const guarded = useRef(edited.isDirty);
  guarded.current = edited.isDirty;
  useFocusOnRefusal(element, error);
  const slugs = resourcesOf(draft).map(([slug]) => `resources.${slug}`);
  const ofResources = slugs.flatMap((path) => [path, ...RESOURCE_MEMBERS.map((member) => `${path}.${member}`)]);
  const messages = fieldMessages(error, [...Object.values(PATHS), 'resources', ...ofResources]);
  const lineMessages = useMemo(() => (fault ? [] : messagesAtLines(error, text)), [error, text, fault]);
  const shown = fault ? [{ line: fault.line, text: fault.message }] : lineMessages;
  const isConflict = statusOf(error) === 412 && conflict;
  const change = (next: Draft) => {
    forgetError();
    edited.replace(next);
  };
  const props = { draft, messages, onChange: change };
  return (
    <Form ref={element} aria-label={title} onSubmit={() => void (fault === null && run(() => onSave(draft)))}>
      <PageHead title={title}>
        <Button
          type="submit"
          look="primary"
          disabled={isBusy}
          reason={fault ? t('Correct the JSON first: line {line}.', { line: String(fault.line) }) : undefined}
        >
          {act}
        </Button>
      </PageHead>
      {isConflict ? conflict : error !== null && statusOf(error) !== 400 && <ErrorNotice error={error} />}
      <div className="two-sides">
        <fieldset className="stack plain" disabled={fault !== null} aria-label={t('Fields')}>
          {fault && <p className="notice">{t('The fields follow again once the JSON is correct.')}</p>}
          <DefinitionFields isNew={isNew} {...props} />
          <ResourceFields {...props} />
        </fieldset>
        <JsonPane
          text={text}
          messages={shown}
          onChange={(next) => {
            forgetError();
            edited.setText(next);
          }}
        />
      </div>
      <LeaveGuard isDirty={() => guarded.current()} />
    </Form>
  );
}

/** The messages of a refusal at the lines of the members that they name. */
function messagesAtLines(error: unknown, text: string): LineMessage[] {
  if (statusOf(error) !== 400) return [];
  const lines = linesOfMembers(text);
  const byPath = [...messagesByField(error)];
  return byPath.flatMap(([path, all]) => all.map((message) => ({ line: lineOfPath(path, lines), text: message })));
}

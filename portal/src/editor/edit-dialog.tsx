import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Versioned } from '../api/versions.ts';
import { t } from '../language/index.ts';
import { type Bound, bind, type Fields } from '../ui/bind.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/form-dialog.tsx';
import { QueryState } from '../ui/states.tsx';
import { announce } from '../ui/toast.tsx';
import { BothVersions, useConcurrentEdit } from './concurrent-edit.tsx';
import { changedOf, mergedWith } from './values.ts';

interface ReadFirstProps<Stored> {
  title: string;
  /** With the id, the key of what is read. */
  kind: string;
  id: string;
  read(): Promise<Versioned<Stored>>;
  onClose(): void;
  children(stored: Versioned<Stored>): ReactNode;
}

/** A dialog that edits what is stored now, which the page may have read a while ago, or in part. */
export function ReadFirst<Stored>({ title, kind, id, read, onClose, children }: ReadFirstProps<Stored>) {
  const query = useQuery({ queryKey: ['edited', kind, id], queryFn: read, staleTime: Infinity, gcTime: 0 });
  if (query.data) return children(query.data);
  return (
    <Dialog open onClose={onClose} title={title}>
      <QueryState query={query} height={320} />
    </Dialog>
  );
}

interface EditDialogProps<Stored, Content extends object> {
  title: string;
  description?: string;
  stored: Versioned<Stored>;
  read(): Promise<Versioned<Stored>>;
  formOf(stored: Stored): Content;
  /** The members as both versions show them. */
  wordsOf(form: Content): readonly (readonly [label: string, text: string])[];
  paths: readonly string[];
  /** The request of a form with the members that were edited; `before`: the form of what is stored. */
  changesOf(form: Content, before: Content): object;
  send(body: object, etag: string): Promise<unknown>;
  invalidate(): Promise<void>;
  done: string;
  onClose(): void;
  children(form: Bound<Content> & { field: Fields<Content> }): ReactNode;
}

/** A form that several people may send: after a conflict it shows both versions, with what this person has edited. */
export function EditDialog<Stored, Content extends object>(props: EditDialogProps<Stored, Content>) {
  const { stored, read, formOf, wordsOf, changesOf, invalidate, done, children, ...dialog } = props;
  const [start, setStart] = useState(() => formOf(stored.data));
  const [form, setForm] = useState(start);
  const { send, theirs, forget } = useConcurrentEdit(stored, read, (data) => {
    const current = formOf(data);
    setForm((mine) => mergedWith(mine, start, current));
    setStart(current);
  });
  const save = async () => {
    const body = changesOf(form, start);
    if (Object.keys(body).length > 0) await send((etag) => props.send(body, etag));
    await invalidate();
    announce(done);
  };
  const onChange = (members: Partial<Content>) => setForm((before) => ({ ...before, ...members }));
  const conflict = theirs && (
    <BothVersions
      members={wordsOf(form).map(([label, mine], index) => ({ label, mine, theirs: wordsOf(start)[index]![1] }))}
      onTakeTheirs={() => {
        setForm(start);
        forget();
      }}
    />
  );
  return (
    <DialogForm
      {...dialog}
      act={t('Save')}
      isChanged={Object.keys(changedOf(form, start)).length > 0}
      conflict={conflict}
      onSubmit={save}
    >
      {(messages) => {
        const bound = { form, messages, onChange };
        return children({ ...bound, field: bind(bound) });
      }}
    </DialogForm>
  );
}

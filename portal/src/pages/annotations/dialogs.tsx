import { useState } from 'react';
import { answerOf, client } from '../../api/client.ts';
import { invalidate } from '../../api/session.ts';
import { ConfirmDialog, pageTitle } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { ZONE } from '../../ui/time.tsx';
import { announce } from '../../ui/toast.tsx';
import { ANNOTATIONS, type Annotation, type AnnotationChange, isoOf, localTime } from './annotations.ts';

const PATHS = ['text', 'at'];

interface AnnotationDialogProps {
  change: AnnotationChange;
  onClose(): void;
}

export default function AnnotationDialog({ change, onClose }: AnnotationDialogProps) {
  if (change.kind === 'add') return <AnnotationForm annotation={null} onClose={onClose} />;
  if (change.kind === 'edit') return <AnnotationForm annotation={change.annotation} onClose={onClose} />;
  return <DeleteAnnotation annotation={change.annotation} onClose={onClose} />;
}

function AnnotationForm({ annotation, onClose }: { annotation: Annotation | null; onClose(): void }) {
  const [text, setText] = useState(annotation?.text ?? '');
  const [start] = useState(() => localTime(annotation === null ? new Date() : new Date(annotation.at)));
  const [at, setAt] = useState(start);
  const save = async () => {
    // The field has no seconds: a time that was not changed keeps them.
    const changed = at !== start && { at: isoOf(at) };
    const body = { text: text.trim(), ...changed };
    await (annotation === null
      ? answerOf(client.POST(ANNOTATIONS, { body: { ...body, at: isoOf(at) } }))
      : answerOf(client.PATCH(`${ANNOTATIONS}/{id}`, { params: { path: { id: annotation.id } }, body })));
    await invalidateAnnotations();
    announce(annotation === null ? 'The annotation was added' : 'The annotation was saved');
  };
  return (
    <FormDialog
      title={annotation === null ? 'Add an annotation' : 'Edit the annotation'}
      act={annotation === null ? 'Add' : 'Save'}
      paths={PATHS}
      onSubmit={save}
      onClose={onClose}
    >
      {(messages) => (
        <>
          <TextField
            label="What happened"
            placeholder="Release 2.3"
            value={text}
            maxLength={500}
            autoFocus
            error={messages.at('text')}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <TextField
            label="When"
            help={`In ${ZONE}.`}
            type="datetime-local"
            value={at}
            error={messages.at('at')}
            onChange={(event) => setAt(event.currentTarget.value)}
          />
        </>
      )}
    </FormDialog>
  );
}

function DeleteAnnotation({ annotation: { id, text }, onClose }: { annotation: Annotation; onClose(): void }) {
  const remove = async () => {
    await answerOf(client.DELETE(`${ANNOTATIONS}/{id}`, { params: { path: { id } } }));
    await invalidateAnnotations();
    announce('The annotation was deleted');
  };
  return (
    <ConfirmDialog
      title="Delete this annotation?"
      description={`No chart and no explanation shows “${text}” any more.`}
      act="Delete"
      onAct={remove}
      onClose={onClose}
      focusAfter={pageTitle}
    />
  );
}

const invalidateAnnotations = () => invalidate((path) => path === ANNOTATIONS);

import { useState } from 'react';
import { answerOf, client } from '../../api/client.ts';
import { invalidate } from '../../api/session.ts';
import { t } from '../../language/index.ts';
import { ActDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { ZONE } from '../../ui/time.tsx';
import { ANNOTATIONS, type Annotation, type AnnotationChange, isoOf, localTime } from './annotations.ts';

export default function AnnotationDialog({ change, onClose }: { change: AnnotationChange; onClose(): void }) {
  if (change.kind === 'delete') return <DeleteAnnotation annotation={change.annotation} onClose={onClose} />;
  return <AnnotationForm annotation={change.kind === 'add' ? null : change.annotation} onClose={onClose} />;
}

function AnnotationForm({ annotation, onClose }: { annotation: Annotation | null; onClose(): void }) {
  const [start] = useState(() => localTime(annotation === null ? new Date() : new Date(annotation.at)));
  return (
    <FormDialog
      title={annotation === null ? t('Add an annotation') : t('Edit the annotation')}
      act={annotation === null ? t('Add') : t('Save')}
      start={{ text: annotation?.text ?? '', at: start }}
      onSubmit={({ text, at }) => {
        // The field has no seconds: a time that was not changed keeps them.
        const body = { text: text.trim(), ...(at !== start && { at: isoOf(at) }) };
        return annotation === null
          ? answerOf(client.POST(ANNOTATIONS, { body: { ...body, at: isoOf(at) } }))
          : answerOf(client.PATCH(`${ANNOTATIONS}/{id}`, { params: { path: { id: annotation.id } }, body }));
      }}
      invalidate={invalidateAnnotations}
      done={annotation === null ? t('The annotation was added') : t('The annotation was saved')}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <TextField
            label={t('What happened')}
            placeholder={t('Release 2.3')}
            maxLength={500}
            autoFocus
            {...field.text('text')}
          />
          <TextField
            label={t('When')}
            help={t('In {zone}.', { zone: ZONE })}
            type="datetime-local"
            {...field.text('at')}
          />
        </>
      )}
    </FormDialog>
  );
}

function DeleteAnnotation({ annotation: { id, text }, onClose }: { annotation: Annotation; onClose(): void }) {
  return (
    <ActDialog
      title={t('Delete this annotation?')}
      description={t('No chart and no explanation shows “{text}” any more.', { text })}
      act={t('Delete')}
      onAct={() => answerOf(client.DELETE(`${ANNOTATIONS}/{id}`, { params: { path: { id } } }))}
      invalidate={invalidateAnnotations}
      done={t('The annotation was deleted')}
      onClose={onClose}
    />
  );
}

const invalidateAnnotations = () => invalidate((path) => path === ANNOTATIONS);

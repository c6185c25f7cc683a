import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { answerOf, client } from '../../../api/client.ts';
import { invalidateSegments, SEGMENTS, type Segment, segmentQuery } from '../../../api/segments.ts';
import { EditorForm, EditorPage } from '../../../editor/editor-page.tsx';
import { MeaningFields } from '../../../editor/meaning-fields.tsx';
import { PropertyField } from '../../../question/fields/known-fields.tsx';
import { segmentTitle } from '../../../question/words/choices.ts';
import { bind } from '../../../ui/bind.ts';
import { announce } from '../../../ui/toast.tsx';
import { ConditionRows } from './condition-rows.tsx';
import { creationOf, emptyForm, formOf, requestOf, type SegmentForm, shownPaths } from './state.ts';

export function NewSegment() {
  return (
    <EditorPage noun="segment" right="metrics:write">
      {() => <Editor start={emptyForm()} segment={null} />}
    </EditorPage>
  );
}

export function EditSegment() {
  const { name } = useParams({ from: '/shell/segments/$name/edit' });
  const query = useQuery(segmentQuery(name));
  return (
    <EditorPage noun="segment" right="metrics:write" query={query}>
      {(stored) => stored && <Editor key={name} start={formOf(stored.segment)} segment={stored.segment} />}
    </EditorPage>
  );
}

/** `segment` is null for a new one. */
function Editor({ start, segment }: { start: SegmentForm; segment: Segment | null }) {
  const navigate = useNavigate();
  const send = async (form: SegmentForm, changed: object) => {
    if (segment === null) return (await answerOf(client.POST(SEGMENTS, { body: creationOf(form) }))).segment;
    if (Object.keys(changed).length === 0) return segment;
    const params = { path: { name: segment.name } };
    return (await answerOf(client.PATCH(`${SEGMENTS}/{name}`, { params, body: changed }))).segment;
  };
  const onSaved = async (saved: Segment) => {
    await navigate({ to: '/segments' });
    await invalidateSegments();
    announce(`The segment “${segmentTitle(saved)}” was ${segment === null ? 'created' : 'saved'}`);
  };
  return (
    <EditorForm
      noun="segment"
      title={segment && segmentTitle(segment)}
      start={start}
      requestOf={requestOf}
      pathsOf={shownPaths}
      send={send}
      onSaved={onSaved}
    >
      {(part) => (
        <>
          <section className="panel padded stack" aria-labelledby="meaning">
            <h2 id="meaning">Meaning</h2>
            <MeaningFields
              part={part}
              isNew={segment === null}
              titlePlaceholder="Repeat buyers"
              nameHelp="Questions name it by this, which never changes."
              descriptionHelp="Whom it holds, and whom it leaves out."
            />
          </section>
          <section className="panel padded stack" aria-labelledby="members">
            <h2 id="members">Who is in it</h2>
            <PropertyField
              label="By"
              help="threadId for conversations, or a property such as customer: the segment holds those values of it for which the conditions hold."
              eventName={part.form.conditions[0]?.eventName ?? ''}
              agent={undefined}
              withFields
              {...bind(part).value('by')}
            />
            <ConditionRows
              rows={part.form.conditions}
              messages={part.messages}
              onChange={(conditions) => part.onChange({ conditions })}
            />
          </section>
        </>
      )}
    </EditorForm>
  );
}

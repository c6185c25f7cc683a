import { useNavigate } from '@tanstack/react-router';
import { client, type Schemas } from '../../../api/client.ts';
import { invalidateSegments, SEGMENTS, type Segment } from '../../../api/segments.ts';
import { EditorForm, useEditor } from '../../../editor/editor-page.tsx';
import { nameOfTitle } from '../../../editor/values.ts';
import { PropertyField } from '../../../question/fields/known-fields.tsx';
import { titleOf } from '../../../question/words/choices.ts';
import { TextField } from '../../../ui/field.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import { announce } from '../../../ui/toast.tsx';
import { ConditionRows } from './condition-rows.tsx';
import { creationOf, requestOf, type SegmentForm, shownPaths } from './state.ts';

/** `segment` is null for a new one. */
export function Editor({ start, segment }: { start: SegmentForm; segment: Segment | null }) {
  const navigate = useNavigate();
  const editing = useEditor(start, requestOf, shownPaths);
  const { form, change, messages } = editing;

  const save = () =>
    editing.save(
      () => (segment === null ? create(creationOf(form)) : changeSegment(segment, editing.changed())),
      async (saved) => {
        await navigate({ to: '/segments' });
        await invalidateSegments();
        announce(`The segment “${titleOf(saved)}” was ${segment === null ? 'created' : 'saved'}`);
      },
    );

  return (
    <EditorForm noun="segment" title={segment && titleOf(segment)} editing={editing} onSave={() => void save()}>
      <section className="panel padded stack" aria-labelledby="meaning">
        <h2 id="meaning">Meaning</h2>
        <div className="fields">
          <TextField
            label="Title"
            placeholder="Repeat buyers"
            value={form.title}
            maxLength={200}
            error={messages.at('title')}
            onChange={(event) => change({ title: event.currentTarget.value })}
          />
          {segment === null && (
            <TextField
              label="Name"
              help="Questions name it by this, which never changes. If empty, it is made of the title."
              placeholder={nameOfTitle(form.title)}
              value={form.name}
              maxLength={100}
              error={messages.at('name')}
              onChange={(event) => change({ name: event.currentTarget.value })}
            />
          )}
        </div>
        <TextArea
          label="Description"
          help="Whom it holds, and whom it leaves out."
          value={form.description}
          maxLength={2_000}
          error={messages.at('description')}
          onChange={(event) => change({ description: event.currentTarget.value })}
        />
      </section>
      <section className="panel padded stack" aria-labelledby="members">
        <h2 id="members">Who is in it</h2>
        <PropertyField
          label="By"
          help="threadId for conversations, or a property such as customer: the segment holds those values of it for which the conditions hold."
          value={form.by}
          eventName={form.conditions[0]?.eventName ?? ''}
          agent={undefined}
          withFields
          error={messages.at('by')}
          onChange={(by) => change({ by })}
        />
        <ConditionRows rows={form.conditions} messages={messages} onChange={(conditions) => change({ conditions })} />
      </section>
    </EditorForm>
  );
}

async function create(body: Schemas['CreateSegment']): Promise<Segment> {
  const { data, error } = await client.POST(SEGMENTS, { body });
  if (!data) throw error;
  return data.segment;
}

async function changeSegment(segment: Segment, body: Schemas['UpdateSegment']): Promise<Segment> {
  if (Object.keys(body).length === 0) return segment;
  const { name } = segment;
  const { data, error } = await client.PATCH(`${SEGMENTS}/{name}`, { params: { path: { name } }, body });
  if (!data) throw error;
  return data.segment;
}

import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { answerOf, client } from '../../../api/client.ts';
import type { FieldMessages } from '../../../api/field-messages.ts';
import { invalidateSegments, SEGMENTS, type Segment, segmentQuery } from '../../../api/segments.ts';
import { EditorForm, EditorPage } from '../../../editor/editor-page.tsx';
import { MeaningFields } from '../../../editor/meaning-fields.tsx';
import { t } from '../../../language/index.ts';
import { EventField, PropertyField } from '../../../question/fields/known-fields.tsx';
import { RangeField } from '../../../question/fields/time-fields.tsx';
import { FilterRows } from '../../../question/filters/filter-rows.tsx';
import { segmentTitle } from '../../../question/words/choices.ts';
import { bind } from '../../../ui/bind.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Section } from '../../../ui/page-head.tsx';
import { announce } from '../../../ui/toast.tsx';
import {
  type ConditionRow,
  conditionPath,
  creationOf,
  emptyForm,
  formOf,
  MAX_CONDITIONS,
  newCondition,
  requestOf,
  type SegmentForm,
  shownPaths,
} from './state.ts';

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
    const title = segmentTitle(saved);
    announce(
      segment === null
        ? t('The segment “{title}” was created', { title })
        : t('The segment “{title}” was saved', { title }),
    );
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
          <Section id="meaning" title={t('Meaning')}>
            <MeaningFields
              part={part}
              isNew={segment === null}
              titlePlaceholder={t('Repeat buyers')}
              nameHelp={t('Questions name it by this, which never changes.')}
              descriptionHelp={t('Whom it holds, and whom it leaves out.')}
            />
          </Section>
          <Section id="members" title={t('Who is in it')}>
            <PropertyField
              label={t('By')}
              help={t(
                'threadId for conversations, or a property such as customer: the segment holds those values of it for which the conditions hold.',
              )}
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
          </Section>
        </>
      )}
    </EditorForm>
  );
}

interface ConditionRowsProps {
  rows: readonly ConditionRow[];
  messages: FieldMessages;
  onChange(rows: ConditionRow[]): void;
}

/** The conditions, at least one. */
function ConditionRows({ rows, messages, onChange }: ConditionRowsProps) {
  return (
    <>
      <p className="field-help">
        {t('All conditions must hold. The events of all agents decide, whatever agent a question is about.')}
      </p>
      {messages.at('conditions') && <p className="field-error">{messages.at('conditions')}</p>}
      {rows.map((row, index) => {
        const number = index + 1;
        const name = t('condition {number}', { number });
        const change = (members: Partial<ConditionRow>) => onChange(rows.with(index, { ...row, ...members }));
        const field = bind({ form: row, messages, onChange: change }, `${conditionPath(index)}.`);
        return (
          <fieldset key={row.id} className="question-part stack" aria-label={t('Condition {number}', { number })}>
            <div className="name-and-button">
              <EventField
                label={t('Event of {part}', { part: name })}
                {...field.value('eventName')}
                agent={undefined}
              />
              {rows.length > 1 && (
                <IconButton
                  icon="close"
                  label={t('Remove {name}', { name })}
                  onClick={() => onChange(rows.filter((one) => one !== row))}
                />
              )}
            </div>
            <FilterRows of={name} {...field.part('filters')} eventName={row.eventName} agent={undefined} />
            <div className="fields">
              <TextField
                label={t('Minimum events of {part}', { part: name })}
                inputMode="numeric"
                placeholder="1"
                {...field.text('atLeast')}
              />
              <RangeField of={name} byDefault={t('All time')} {...field.part('range')} />
            </div>
          </fieldset>
        );
      })}
      {rows.length < MAX_CONDITIONS && (
        <div>
          <Button look="quiet" icon="add" onClick={() => onChange([...rows, newCondition()])}>
            {t('Add condition')}
          </Button>
        </div>
      )}
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import { answerOf, api, client } from '../../../api/client.ts';
import { useSession } from '../../../api/session.ts';
import { TitleFields } from '../../../editor/meaning-fields.tsx';
import { changedOf } from '../../../editor/values.ts';
import { t } from '../../../language/index.ts';
import { EventField } from '../../../question/fields/known-fields.tsx';
import { FilterRows } from '../../../question/filters/filter-rows.tsx';
import type { Bound, Fields } from '../../../ui/bind.ts';
import { ActDialog } from '../../../ui/dialog.tsx';
import { Check, SelectField, TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { FILTER_FIELDS, type FilterField } from '../../executions/filter-fields.ts';
import { invalidateReviews, QUEUE, QUEUES, type QueueRow, rubricsQuery } from '../api.ts';
import { creationOf, formOf, pathsOf, type QueueForm, requestOf } from './form.ts';

/** As many as the API gives at once. */
const MOST = 100;

type Part = Bound<QueueForm> & { field: Fields<QueueForm> };

interface QueueDialogProps {
  /** The queue to change; null for a new one. */
  queue: QueueRow | null;
  onClose(): void;
}

/** The form of a queue. */
export default function QueueDialog({ queue, onClose }: QueueDialogProps) {
  const start = formOf(queue);
  const send = async (form: QueueForm) => {
    if (queue === null) return answerOf(client.POST(QUEUES, { body: creationOf(form) }));
    const body = changedOf(requestOf(form), requestOf(start));
    if (Object.keys(body).length === 0) return undefined;
    return answerOf(client.PATCH(QUEUE, { params: { path: { name: queue.name } }, body }));
  };
  return (
    <FormDialog
      title={queue === null ? t('New queue') : t('Change {name}', { name: queue.title ?? queue.name })}
      description={t(
        'A queue takes the executions that match, those of today and of later, and hands each to one person at a time.',
      )}
      act={queue === null ? t('Create') : t('Save')}
      start={start}
      paths={pathsOf(start)}
      onSubmit={send}
      invalidate={invalidateReviews}
      done={queue === null ? t('The queue was created') : t('The queue was changed')}
      onClose={onClose}
    >
      {(part) => (
        <>
          <TitleFields part={part} isNew={queue === null} titlePlaceholder={t('Bad outcomes')} />
          <ExecutionFilters part={part} />
          <Outcome part={part} />
          <People part={part} />
        </>
      )}
    </FormDialog>
  );
}

function ExecutionFilters({ part }: { part: Part }) {
  const rare = FILTER_FIELDS.filter(({ isCommon }) => !isCommon);
  return (
    <fieldset className="stack">
      <legend>{t('Which executions')}</legend>
      <div className="fields">
        {FILTER_FIELDS.filter(({ isCommon }) => isCommon).map((field) => (
          <ExecutionFilter key={field.name} part={part} field={field} />
        ))}
        <TextField
          label={t('Share of them, in percent')}
          help={t('Empty: all. Always the same ones.')}
          inputMode="decimal"
          {...part.field.text('share')}
        />
      </div>
      <details className="folded" open={rare.some(({ name }) => part.form.filters[name] !== undefined) || undefined}>
        <summary>{t('More filters')}</summary>
        <div className="fields">
          {rare.map((field) => (
            <ExecutionFilter key={field.name} part={part} field={field} />
          ))}
        </div>
      </details>
    </fieldset>
  );
}

function ExecutionFilter({ part, field }: { part: Part; field: FilterField }) {
  const { name, label, options, kind } = field;
  const value = part.form.filters[name] ?? '';
  const set = (text: string) => part.onChange({ filters: { ...part.form.filters, [name]: text || undefined } });
  const error = part.messages.at(`filters.${name}`);
  if (options) return <SelectField label={label} value={value} options={options} error={error} onChoose={set} />;
  return (
    <TextField
      label={label}
      value={value}
      error={error}
      {...(kind === 'number' && { inputMode: 'decimal' })}
      {...(name.startsWith('date') && { placeholder: '7 days ago' })}
      onChange={(event) => set(event.currentTarget.value)}
    />
  );
}

/** "All bad outcomes": an event that followed in the thread. */
function Outcome({ part: { form, messages, onChange } }: { part: Part }) {
  return (
    <fieldset className="stack">
      <legend>{t('What followed')}</legend>
      <EventField
        label={t('Event in the same thread, later')}
        value={form.eventName}
        agent={undefined}
        error={messages.at('outcome.eventName')}
        onChange={(eventName) => onChange({ eventName })}
      />
      {form.eventName !== '' && (
        <FilterRows
          of={t('the event')}
          path="outcome."
          value={form.eventFilters}
          eventName={form.eventName}
          agent={undefined}
          messages={messages}
          onChange={(eventFilters) => onChange({ eventFilters })}
        />
      )}
    </fieldset>
  );
}

/** The rubric of assessors, how many each item needs, and who may have items. */
function People({ part: { form, field, messages, onChange } }: { part: Part }) {
  const { isAdministrator } = useSession();
  const asked = { params: { query: { limit: MOST } } };
  const { data: rubrics = [] } = useQuery(rubricsQuery);
  const users = api.useQuery('get', '/api/v1/portal/users', asked, { enabled: isAdministrator }).data?.users;
  const options = rubrics.map(({ name, title }) => ({ value: name, label: title }));
  const isKnown = form.rubric === '' || rubrics.some(({ name }) => name === form.rubric);
  return (
    <>
      <div className="fields">
        <SelectField
          label={t('Rubric')}
          help={t('Questions below the review. Their answers become an assessment.')}
          options={[
            { value: '', label: t('None|a rubric') },
            ...options,
            ...(isKnown ? [] : [{ value: form.rubric, label: form.rubric }]),
          ]}
          {...field.choice('rubric')}
        />
        <TextField
          label={t('People for each item')}
          help={t('1 to 10. The first writes the review; the others see it, and answer the rubric.')}
          type="number"
          min={1}
          max={10}
          {...field.text('assessors')}
        />
      </div>
      {users && (
        <fieldset className="stack tight">
          <legend>{t('Who gets items')}</legend>
          <p className="field-help">{t('Nobody chosen: everybody whose role may write reviews.')}</p>
          {messages.at('userIds') && <p className="field-error">{messages.at('userIds')}</p>}
          {users.map(({ id, name, email }) => (
            <Check
              key={id}
              label={`${name}, ${email}`}
              checked={form.userIds.includes(id)}
              onChange={(isChosen) =>
                onChange({ userIds: isChosen ? [...form.userIds, id] : form.userIds.filter((one) => one !== id) })
              }
            />
          ))}
        </fieldset>
      )}
    </>
  );
}

export function DeleteQueue({ queue, onClose }: { queue: QueueRow; onClose(): void }) {
  const { name, title = name } = queue;
  return (
    <ActDialog
      title={t('Delete this queue?')}
      description={t('What people did in “{title}” is forgotten. The executions and their reviews stay.', { title })}
      act={t('Delete')}
      onAct={() => answerOf(client.DELETE(QUEUE, { params: { path: { name } } }))}
      invalidate={invalidateReviews}
      done={t('The queue “{title}” was deleted', { title })}
      onClose={onClose}
    />
  );
}

import { useKnownCards } from '../../../api/dashboards.ts';
import { useSession } from '../../../api/session.ts';
import type { EditorPartProps } from '../../../editor/editor-page.tsx';
import { useAskedEvent } from '../../../question/fields/asked-fields.tsx';
import { SegmentField } from '../../../question/fields/known-fields.tsx';
import { MeasureFields } from '../../../question/fields/measure-fields.tsx';
import { MetricField } from '../../../question/fields/metric-field.tsx';
import { FilterRows } from '../../../question/filters/filter-rows.tsx';
import { bind } from '../../../ui/bind.ts';
import { SelectField } from '../../../ui/field.tsx';
import { canAlert } from '../card.ts';
import { BUCKETS } from '../words.ts';
import { type AlertForm, askedPath } from './state.ts';

const SUBJECTS = [
  { value: 'metric', label: 'A metric' },
  { value: 'event', label: 'Events' },
  { value: 'card', label: 'A card' },
] as const;

/** The fields of what is measured, and of the bucket. */
export function SubjectPart({ form, messages, onChange }: EditorPartProps<AlertForm>) {
  const { subject, bucket } = form;
  const { can } = useSession();
  const subjects = SUBJECTS.filter(({ value }) => value !== 'metric' || can('metrics:read') || subject === 'metric');
  return (
    <>
      <SelectField
        label="Measure"
        value={subject}
        options={subjects}
        onChoose={(chosen) => onChange({ subject: chosen, asked: { ...form.asked, subject: askedSubject(chosen) } })}
      />
      {subject === 'card' ? (
        <CardField form={form} messages={messages} onChange={onChange} />
      ) : (
        <>
          <AskedPart form={form} messages={messages} onChange={onChange} />
          <SelectField
            label="Period"
            help="A check looks at the last one that is over."
            value={bucket}
            options={BUCKETS}
            error={messages.at(`${askedPath(form)}dateGrouping`)}
            onChoose={(chosen) => onChange({ bucket: chosen })}
          />
        </>
      )}
    </>
  );
}

function askedSubject(subject: AlertForm['subject']) {
  return subject === 'event' ? 'event' : 'metric';
}

function AskedPart({ form, messages, onChange }: EditorPartProps<AlertForm>) {
  const { asked, others } = form;
  const path = askedPath(form);
  const eventName = useAskedEvent(asked);
  const agent = typeof others.agentId === 'string' && others.agentId !== '*' ? others.agentId : undefined;
  const change = (members: Partial<AlertForm['asked']>) => onChange({ asked: { ...asked, ...members } });
  const field = bind({ form: asked, messages, onChange: change }, path);
  const rest = (
    <>
      <SegmentField {...field.value('segment')} />
      {agent !== undefined && <p className="field-help">Events of the agent {agent} alone.</p>}
    </>
  );
  if (asked.subject === 'event') {
    return (
      <>
        <MeasureFields form={asked} agent={agent} messages={messages} path={path} onChange={change} />
        {rest}
      </>
    );
  }
  return (
    <>
      <MetricField {...field.value('metric')} />
      <FilterRows
        rows={asked.filters}
        eventName={eventName}
        agent={agent}
        messages={messages}
        path={`${path}filters`}
        onChange={(filters) => change({ filters })}
      />
      {rest}
    </>
  );
}

function CardField({ form: { cardId }, messages, onChange }: EditorPartProps<AlertForm>) {
  const cards = useKnownCards()?.filter((card) => canAlert(card) || card.id === cardId) ?? [];
  const chosen = cards.some(({ id }) => id === cardId);
  return (
    <SelectField<string>
      label="Card"
      help="One with a single number or a single line. A line is checked by its hours, days, weeks or months, a number by days."
      value={chosen ? cardId : ''}
      options={[
        ...(chosen ? [] : [{ value: '', label: 'Choose a card' }]),
        ...cards.map(({ id, title }) => ({ value: id, label: title })),
      ]}
      error={messages.at('cardId')}
      onChoose={(id) => onChange({ cardId: id })}
    />
  );
}

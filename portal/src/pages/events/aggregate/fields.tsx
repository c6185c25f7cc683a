import { AggregationField } from '../../../question/aggregation-field.tsx';
import { EventField } from '../../../question/event-field.tsx';
import { FilterRows } from '../../../question/filter-rows.tsx';
import { KeyFields } from '../../../question/key-fields.tsx';
import { useKnownMetric } from '../../../question/known-metrics.ts';
import type { FieldMessages } from '../../../question/messages.ts';
import { eventOf } from '../../../question/metric-words.ts';
import { RangeField } from '../../../question/range-field.tsx';
import { SubjectField } from '../../../question/subject-field.tsx';
import { TimeZoneField } from '../../../question/time-zone-field.tsx';
import { DATE_GROUPINGS } from '../../../question/words.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import type { KpiForm } from './state.ts';

const RATE = [{ value: 'rate', label: 'Rate' }] as const;
const COMPARISONS = [
  { value: '', label: 'Nothing' },
  { value: 'previous_period', label: 'The previous period' },
] as const;
const SERIES = [{ value: '', label: 'One value for the whole range' }, ...DATE_GROUPINGS] as const;
const MAX_GROUP_KEYS = 3;

interface KpiFieldsProps {
  form: KpiForm;
  agent: string | undefined;
  messages: FieldMessages;
  onChange(form: KpiForm): void;
}

export function KpiFields({ form, agent, messages, onChange }: KpiFieldsProps) {
  const { subject, metric } = form;
  const known = useKnownMetric(subject === 'metric' ? metric : '');
  const eventName = subject === 'event' ? form.eventName : known ? eventOf(known) : '';
  const change = (members: Partial<KpiForm>) => onChange({ ...form, ...members });
  return (
    <>
      <SubjectField subject={subject} metric={metric} error={messages.at('metric')} onChange={change} />
      {subject === 'event' && <Measure {...{ form, agent, messages, onChange }} />}
      <FilterRows
        rows={form.filters}
        eventName={eventName}
        agent={agent}
        messages={messages}
        onChange={(filters) => change({ filters })}
      />
      <RangeField
        value={form.range}
        byDefault="All time"
        errors={{ dateFrom: messages.at('dateFrom'), dateTo: messages.at('dateTo') }}
        onChange={(range) => change({ range })}
      />
      <SelectField
        label="Compare with"
        value={form.comparesPeriods ? 'previous_period' : ''}
        options={COMPARISONS}
        error={messages.at('compareTo')}
        onChoose={(chosen) => change({ comparesPeriods: chosen !== '' })}
      />
      <SelectField
        label="Over time"
        value={form.dateGrouping}
        options={SERIES}
        error={messages.at('dateGrouping')}
        onChoose={(dateGrouping) => change({ dateGrouping })}
      />
      <KeyFields
        label="Group by"
        keys={form.groupBy}
        maximum={MAX_GROUP_KEYS}
        eventName={eventName}
        agent={agent}
        error={messages.at('group_by')}
        onChange={(groupBy) => change({ groupBy })}
      />
      {form.groupBy.length > 0 && (
        <TextField
          label="Number of groups"
          help="The rest is shown as other."
          type="number"
          placeholder={form.dateGrouping === '' ? '20' : '10'}
          value={form.limit}
          error={messages.at('limit')}
          onChange={(event) => change({ limit: event.currentTarget.value })}
        />
      )}
      <TimeZoneField
        value={form.timezone}
        error={messages.at('timezone')}
        onChange={(timezone) => change({ timezone })}
      />
    </>
  );
}

/** The fields of the event and what is computed of it. */
function Measure({ form, agent, messages, onChange }: KpiFieldsProps) {
  const change = (members: Partial<KpiForm>) => onChange({ ...form, ...members });
  return (
    <>
      <EventField
        value={form.eventName}
        agent={agent}
        error={messages.at('eventName')}
        onChange={(name) => change({ eventName: name })}
      />
      <AggregationField<KpiForm['aggregation']>
        aggregation={form.aggregation}
        propertyKey={form.propertyKey}
        eventName={form.eventName}
        agent={agent}
        others={RATE}
        errors={{ aggregation: messages.at('aggregation'), propertyKey: messages.at('propertyKey') }}
        onChange={change}
      />
      {form.aggregation === 'rate' && <Numerator {...{ form, agent, messages, onChange }} />}
    </>
  );
}

/** The fields of a rate's numerator. */
function Numerator({ form, agent, messages, onChange }: KpiFieldsProps) {
  const { numerator, eventName } = form;
  const change = (members: Partial<KpiForm['numerator']>) =>
    onChange({ ...form, numerator: { ...numerator, ...members } });
  return (
    <fieldset className="question-part stack tight" aria-label="Events that count">
      <p className="label">Events that count</p>
      <p className="field-help">
        The share of the events above that match these filters, or the ratio of another event.
      </p>
      {messages.at('numerator') && <p className="field-error">{messages.at('numerator')}</p>}
      <EventField
        label="Other event"
        value={numerator.eventName}
        agent={agent}
        error={messages.at('numerator.eventName')}
        onChange={(name) => change({ eventName: name })}
      />
      <FilterRows
        of="the events that count"
        rows={numerator.filters}
        eventName={numerator.eventName || eventName}
        agent={agent}
        messages={messages}
        path="numerator.filters"
        onChange={(filters) => change({ filters })}
      />
    </fieldset>
  );
}

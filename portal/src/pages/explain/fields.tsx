import { useQuery } from '@tanstack/react-query';
import { FilterRows } from '../../question/filter-rows.tsx';
import { KeyFields } from '../../question/key-fields.tsx';
import { MeasureFields } from '../../question/measure-fields.tsx';
import type { FieldMessages } from '../../question/messages.ts';
import { RangeField } from '../../question/range-field.tsx';
import { TimeZoneField } from '../../question/time-zone-field.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { MetricField } from '../metrics/metric-field.tsx';
import { metricsQuery } from '../metrics/metrics.ts';
import { eventsOf } from '../metrics/words.ts';
import type { ExplainForm } from './state.ts';

const MAX_PROPERTIES = 20;
const SUBJECTS = [
  { value: 'metric', label: 'A metric' },
  { value: 'event', label: 'A measure of an event' },
] as const;
const COMPARISONS = [
  { value: 'previous_period', label: 'The period before, as long' },
  { value: 'period', label: 'Another period' },
] as const;
const DAY = /^(\d{4}-\d{2}-\d{2})?$/;

interface ExplainFieldsProps {
  form: ExplainForm;
  agent: string | undefined;
  messages: FieldMessages;
  onChange(form: ExplainForm): void;
}

export function ExplainFields({ form, agent, messages, onChange }: ExplainFieldsProps) {
  const { subject, metric, earlier, properties } = form;
  const change = (members: Partial<ExplainForm>) => onChange({ ...form, ...members });
  const { data } = useQuery(metricsQuery());
  const known = data?.metrics.find(({ name }) => name === metric.split('@')[0]);
  const eventName = subject === 'event' ? form.eventName : ((known && eventsOf(known.formula)[0]) ?? '');
  const dateField = (end: 'dateFrom' | 'dateTo', label: string) => (
    <TextField
      label={label}
      type={DAY.test(earlier[end]) ? 'date' : 'text'}
      value={earlier[end]}
      error={messages.at(`compareTo.${end}`)}
      onChange={(event) => change({ earlier: { ...earlier, [end]: event.currentTarget.value } })}
    />
  );
  return (
    <>
      <SelectField
        label="What changed"
        value={subject}
        options={SUBJECTS}
        onChoose={(chosen) => change({ subject: chosen })}
      />
      {subject === 'metric' ? (
        <>
          <MetricField value={metric} error={messages.at('metric')} onChange={(name) => change({ metric: name })} />
          <FilterRows
            rows={form.filters}
            eventName={eventName}
            agent={agent}
            messages={messages}
            onChange={(filters) => change({ filters })}
          />
        </>
      ) : (
        <MeasureFields form={form} agent={agent} messages={messages} onChange={change} />
      )}
      <RangeField
        value={form.range}
        byDefault="Choose a period"
        errors={{ dateFrom: messages.at('dateFrom'), dateTo: messages.at('dateTo') }}
        onChange={(range) => change({ range })}
      />
      <SelectField
        label="Compare with"
        value={form.compare}
        options={COMPARISONS}
        error={messages.at('compareTo')}
        onChoose={(compare) => change({ compare })}
      />
      {form.compare === 'period' && (
        <div className="range-ends">
          {dateField('dateFrom', 'Earlier period from')}
          {dateField('dateTo', 'Earlier period to')}
        </div>
      )}
      <KeyFields
        label="Property"
        isNumbered
        help={!properties.some(Boolean) && 'Those with few values, unless you choose some.'}
        keys={properties}
        maximum={MAX_PROPERTIES}
        eventName={eventName}
        agent={agent}
        error={messages.at('properties')}
        onChange={(keys) => change({ properties: keys })}
      />
      <TimeZoneField
        value={form.timezone}
        error={messages.at('timezone')}
        onChange={(timezone) => change({ timezone })}
      />
    </>
  );
}

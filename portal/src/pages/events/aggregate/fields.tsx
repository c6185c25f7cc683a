import type { FieldMessages } from '../../../api/field-messages.ts';
import { AskedFields, useAskedEvent } from '../../../question/fields/asked-fields.tsx';
import { KeyFields } from '../../../question/fields/known-fields.tsx';
import { RangeField, TimeZoneField } from '../../../question/fields/time-fields.tsx';
import { DATE_GROUPINGS } from '../../../question/words/words.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import type { KpiForm } from './state.ts';

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
  const eventName = useAskedEvent(form);
  const change = (members: Partial<KpiForm>) => onChange({ ...form, ...members });
  return (
    <>
      <AskedFields form={form} eventName={eventName} agent={agent} messages={messages} onChange={change} />
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

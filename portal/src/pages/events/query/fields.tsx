import { EventField } from '../../../question/event-field.tsx';
import { FilterRows } from '../../../question/filter-rows.tsx';
import { KeyFields } from '../../../question/key-fields.tsx';
import type { FieldMessages } from '../../../question/messages.ts';
import { RangeField } from '../../../question/range-field.tsx';
import { TimeZoneField } from '../../../question/time-zone-field.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { ColumnRows } from './column-rows.tsx';
import { MetricRows } from './metric-rows.tsx';
import { DEFAULT_LIMIT, MAX_GROUP_KEYS, newMetric, type TableForm } from './state.ts';

const MODES = [
  { value: 'raw', label: 'One for each event' },
  { value: 'aggregate', label: 'One for each group' },
] as const;

interface TableFieldsProps {
  form: TableForm;
  agent: string | undefined;
  messages: FieldMessages;
  onChange(form: TableForm): void;
}

export function TableFields({ form, agent, messages, onChange }: TableFieldsProps) {
  const { eventName, mode } = form;
  const change = (members: Partial<TableForm>) => onChange({ ...form, ...members });
  return (
    <>
      <EventField
        value={eventName}
        agent={agent}
        error={messages.at('eventName')}
        onChange={(name) => change({ eventName: name })}
      />
      <SelectField
        label="Rows"
        value={mode}
        options={MODES}
        error={messages.at('mode')}
        onChoose={(chosen) =>
          change({ mode: chosen, ...(form.metrics.length === 0 && { metrics: [newMetric()] }), sort: null })
        }
      />
      {mode === 'raw' && (
        <ColumnRows
          keys={form.columns}
          eventName={eventName}
          agent={agent}
          error={messages.at('columns')}
          onChange={(columns) => change({ columns })}
        />
      )}
      {mode === 'aggregate' && (
        <>
          <KeyFields
            label="Group by"
            keys={form.groupBy}
            maximum={MAX_GROUP_KEYS}
            eventName={eventName}
            agent={agent}
            error={messages.at('groupBy')}
            onChange={(groupBy) => change({ groupBy })}
          />
          <MetricRows
            rows={form.metrics}
            eventName={eventName}
            agent={agent}
            messages={messages}
            onChange={(metrics) => change({ metrics })}
          />
        </>
      )}
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
      <TimeZoneField
        value={form.timezone}
        error={messages.at('timezone')}
        onChange={(timezone) => change({ timezone })}
      />
      <TextField
        label="Rows per page"
        inputMode="numeric"
        type="number"
        placeholder={String(DEFAULT_LIMIT)}
        value={form.limit}
        error={messages.at('limit')}
        onChange={(event) => change({ limit: event.currentTarget.value })}
      />
    </>
  );
}

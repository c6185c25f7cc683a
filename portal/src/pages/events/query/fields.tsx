import type { FieldMessages } from '../../../api/field-messages.ts';
import { EventField, SegmentField } from '../../../question/fields/known-fields.tsx';
import { TableRowsField } from '../../../question/fields/table-rows-field.tsx';
import { RangeField, TimeZoneField } from '../../../question/fields/time-fields.tsx';
import { FilterRows } from '../../../question/filters/filter-rows.tsx';
import { TextField } from '../../../ui/field.tsx';
import { DEFAULT_LIMIT, type TableForm } from './state.ts';

interface TableFieldsProps {
  form: TableForm;
  agent: string | undefined;
  messages: FieldMessages;
  onChange(form: TableForm): void;
}

export function TableFields({ form, agent, messages, onChange }: TableFieldsProps) {
  const { eventName } = form;
  const change = (members: Partial<TableForm>) => onChange({ ...form, ...members });
  return (
    <>
      <EventField
        value={eventName}
        agent={agent}
        error={messages.at('eventName')}
        onChange={(name) => change({ eventName: name })}
      />
      <TableRowsField
        rows={form}
        eventName={eventName}
        agent={agent}
        messages={messages}
        path=""
        onMode={(mode) => change({ mode, sort: null })}
        onChange={change}
      />
      <FilterRows
        rows={form.filters}
        eventName={eventName}
        agent={agent}
        messages={messages}
        onChange={(filters) => change({ filters })}
      />
      <SegmentField value={form.segment} error={messages.at('segment')} onChange={(segment) => change({ segment })} />
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

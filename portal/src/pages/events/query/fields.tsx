import { EventField, SegmentField } from '../../../question/fields/known-fields.tsx';
import { TableRowsField } from '../../../question/fields/table-rows-field.tsx';
import { RangeField, TimeZoneField } from '../../../question/fields/time-fields.tsx';
import { FilterRows } from '../../../question/filters/filter-rows.tsx';
import type { QuestionFieldsProps } from '../../../question/question-page.tsx';
import { bind } from '../../../ui/bind.ts';
import { TextField } from '../../../ui/field.tsx';
import { DEFAULT_LIMIT, type TableForm } from './state.ts';

export function TableFields({ form, agent, messages, onChange: change }: QuestionFieldsProps<TableForm>) {
  const field = bind({ form, messages, onChange: change });
  const { eventName } = form;
  return (
    <>
      <EventField {...field.value('eventName')} agent={agent} />
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
      <SegmentField {...field.value('segment')} />
      <RangeField
        value={form.range}
        byDefault="All time"
        errors={{ dateFrom: messages.at('dateFrom'), dateTo: messages.at('dateTo') }}
        onChange={(range) => change({ range })}
      />
      <TimeZoneField {...field.value('timezone')} />
      <TextField
        label="Rows per page"
        inputMode="numeric"
        type="number"
        placeholder={String(DEFAULT_LIMIT)}
        {...field.text('limit')}
      />
    </>
  );
}

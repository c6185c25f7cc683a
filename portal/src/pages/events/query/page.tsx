import { QUERY_EVENTS } from '../../../api/answers.ts';
import { api } from '../../../api/client.ts';
import { EventField, SegmentField } from '../../../question/fields/known-fields.tsx';
import { TableRowsField } from '../../../question/fields/table-rows-field.tsx';
import { RangeField, TimeZoneField } from '../../../question/fields/time-fields.tsx';
import { FilterRows } from '../../../question/filters/filter-rows.tsx';
import { type QuestionFieldsProps, QuestionPage } from '../../../question/question-page.tsx';
import { bind } from '../../../ui/bind.ts';
import { TextField } from '../../../ui/field.tsx';
import { Result } from './result.tsx';
import { DEFAULT_LIMIT, formOf, pathsOf, questionOf, type TableForm, withValidSort } from './state.ts';

export function QueryEvents() {
  return (
    <QuestionPage
      title="Table of events"
      next="Choose an event and press Run."
      what="the table"
      path={QUERY_EVENTS}
      tool="query_events"
      keepsAnswer
      formOf={formOf}
      questionOf={questionOf}
      pathsOf={pathsOf}
      normalized={(form) => withValidSort({ ...form, offset: 0 })}
      queryOf={(body) => api.queryOptions('post', QUERY_EVENTS, { body })}
      fields={TableFields}
    >
      {({ answer, question, isStale, onAsk }) => (
        <Result table={answer} question={question} isStale={isStale} onMove={onAsk} />
      )}
    </QuestionPage>
  );
}

function TableFields({ form, agent, messages, onChange: change }: QuestionFieldsProps<TableForm>) {
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

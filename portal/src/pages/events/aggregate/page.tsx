import { useSearch } from '@tanstack/react-router';
import { AGGREGATE } from '../../../api/answers.ts';
import { api } from '../../../api/client.ts';
import { AskedFields, useAskedEvent } from '../../../question/fields/asked-fields.tsx';
import { KeyFields } from '../../../question/fields/known-fields.tsx';
import { RangeField, TimeZoneField } from '../../../question/fields/time-fields.tsx';
import { type QuestionFieldsProps, QuestionPage } from '../../../question/question-page.tsx';
import { DATE_GROUPINGS } from '../../../question/words/words.ts';
import { bind } from '../../../ui/bind.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { useSetSearch } from '../../../ui/use-set-search.ts';
import { KpiAnswer } from './answer.tsx';
import { formOf, type KpiForm, pathsOf, questionOf } from './state.ts';

export function AggregateEvents() {
  const { chart } = useSearch({ from: '/shell/events/aggregate' });
  const setSearch = useSetSearch();
  return (
    <QuestionPage
      title="KPI"
      next="Choose an event and what to compute, or a metric, and press Run."
      what="the answer"
      path={AGGREGATE}
      tool="aggregate_events"
      header="Authorization: Bearer TOKEN_OF_A_LOGIN"
      formOf={formOf}
      questionOf={questionOf}
      pathsOf={pathsOf}
      queryOf={(body) => api.queryOptions('post', AGGREGATE, { body })}
      fields={KpiFields}
    >
      {({ answer, question }) => (
        <KpiAnswer
          answer={answer}
          question={question}
          chart={chart}
          onChoose={(look) => setSearch({ chart: look }, { replace: true, resetScroll: false })}
        />
      )}
    </QuestionPage>
  );
}

const COMPARISONS = [
  { value: '', label: 'Nothing' },
  { value: 'previous_period', label: 'The previous period' },
] as const;
const SERIES = [{ value: '', label: 'One value for the whole range' }, ...DATE_GROUPINGS] as const;
const MAX_GROUP_KEYS = 3;

function KpiFields({ form, agent, messages, onChange: change }: QuestionFieldsProps<KpiForm>) {
  const field = bind({ form, messages, onChange: change });
  const eventName = useAskedEvent(form);
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
      <SelectField label="Over time" {...field.choice('dateGrouping')} options={SERIES} />
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
          {...field.text('limit')}
        />
      )}
      <TimeZoneField {...field.value('timezone')} />
    </>
  );
}

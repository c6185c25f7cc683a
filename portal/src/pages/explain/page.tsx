import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { EXPLAIN } from '../../api/answers.ts';
import { answerOf, api, client } from '../../api/client.ts';
import { metricQuery } from '../../api/metrics.ts';
import type { Schemas } from '../../api/schemas.ts';
import { queryClient } from '../../api/session.ts';
import { t } from '../../language/index.ts';
import { AskedFields, useAskedEvent } from '../../question/fields/asked-fields.tsx';
import { KeyFields } from '../../question/fields/known-fields.tsx';
import { RangeField, TimeZoneField } from '../../question/fields/time-fields.tsx';
import { type QuestionFieldsProps, QuestionPage } from '../../question/question-page.tsx';
import { bind } from '../../ui/bind.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { ExplainedChange } from './answer.tsx';
import { useMostMoved } from './most-moved.ts';
import { type ExplainForm, type ExplainQuestion, type Explanation, formOf, pathsOf, questionOf } from './state.ts';
import { explainedMetric } from './words.ts';

/** Why a number changed between two periods. */
export function Explain() {
  return (
    <QuestionPage
      head={<PageHead title={t('Explain a change')} />}
      byDefault={useMostMoved()}
      next={t('Choose a metric or an event, and press Run.')}
      path={EXPLAIN}
      tool="explain_change"
      formOf={formOf}
      questionOf={questionOf}
      pathsOf={pathsOf}
      // Without dateFrom the server says at its field that it is required.
      queryOf={explanationQuery}
      fields={ExplainFields}
    >
      {({ answer, question }) => <Answer answer={answer} question={question} />}
    </QuestionPage>
  );
}

/** With the metric, which says how values are written: both are shown at once. */
function explanationQuery(body: ExplainQuestion & { agentId: string }) {
  const { queryKey } = api.queryOptions('post', EXPLAIN, { body: body as Schemas['ExplainChange'] });
  return {
    queryKey,
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Explanation> => {
      const answer = await answerOf(client.POST(EXPLAIN, { body: body as Schemas['ExplainChange'], signal }));
      const { metric } = answer.basis;
      if (metric) await queryClient.ensureQueryData(metricQuery(metric.name)).catch(() => undefined);
      return answer;
    },
  };
}

/** The metric says how its values are written, and whether a rise is good. */
function Answer({ answer, question }: { answer: Explanation; question: ExplainQuestion }) {
  const name = answer.basis.metric?.name;
  const { data } = useQuery({ ...metricQuery(name ?? ''), enabled: name !== undefined });
  const metric = useMemo(() => explainedMetric(question, data?.metric), [question, data]);
  return <ExplainedChange answer={answer} metric={metric} />;
}

const MAX_PROPERTIES = 20;
const COMPARISONS = [
  { value: 'previous_period', label: t('The period before, as long') },
  { value: 'period', label: t('Another period') },
] as const;
const DAY = /^(\d{4}-\d{2}-\d{2})?$/;

function ExplainFields({ form, agent, messages, onChange: change }: QuestionFieldsProps<ExplainForm>) {
  const field = bind({ form, messages, onChange: change });
  const { earlier, properties } = form;
  const eventName = useAskedEvent(form);
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
      <AskedFields form={form} eventName={eventName} agent={agent} messages={messages} onChange={change} />
      <RangeField byDefault={t('Choose a period')} {...field.part('range')} />
      <SelectField
        label={t('Compare with')}
        value={form.compare}
        options={COMPARISONS}
        error={messages.at('compareTo')}
        onChoose={(compare) => change({ compare })}
      />
      {form.compare === 'period' && (
        <div className="range-ends">
          {dateField('dateFrom', t('Earlier period from'))}
          {dateField('dateTo', t('Earlier period to'))}
        </div>
      )}
      <KeyFields
        label={t('Property')}
        isNumbered
        help={!properties.some(Boolean) && t('Those with few values, unless you choose some.')}
        maximum={MAX_PROPERTIES}
        eventName={eventName}
        agent={agent}
        {...field.value('properties')}
      />
      <TimeZoneField {...field.value('timezone')} />
    </>
  );
}

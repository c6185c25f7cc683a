import { useSearch } from '@tanstack/react-router';
import { AGGREGATE } from '../../../api/answers.ts';
import { api } from '../../../api/client.ts';
import { QuestionPage } from '../../../question/question-page.tsx';
import { useSetSearch } from '../../../ui/use-set-search.ts';
import { KpiAnswer } from './answer.tsx';
import { KpiFields } from './fields.tsx';
import { formOf, pathsOf, questionOf } from './state.ts';

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

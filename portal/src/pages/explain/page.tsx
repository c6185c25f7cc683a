import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { EXPLAIN } from '../../api/answers.ts';
import { api } from '../../api/client.ts';
import { metricQuery } from '../../api/metrics.ts';
import type { Schemas } from '../../api/schemas.ts';
import { QuestionPage } from '../../question/question-page.tsx';
import { Loading } from '../../ui/states.tsx';
import { ExplainedChange } from './answer.tsx';
import { ExplainFields } from './fields.tsx';
import { type ExplainQuestion, type Explanation, formOf, pathsOf, questionOf } from './state.ts';
import { explainedMetric } from './words.ts';

/** Why a number changed between two periods. */
export function Explain() {
  return (
    <QuestionPage
      title="Explain a change"
      next="Choose a metric or an event, and press Run."
      what="the explanation"
      path={EXPLAIN}
      tool="explain_change"
      formOf={formOf}
      questionOf={questionOf}
      pathsOf={pathsOf}
      // Without dateFrom the server says at its field that it is required.
      queryOf={(body) => api.queryOptions('post', EXPLAIN, { body: body as Schemas['ExplainChange'] })}
      fields={ExplainFields}
    >
      {({ answer, question }) => <Answer answer={answer} question={question} />}
    </QuestionPage>
  );
}

/** The metric says how its values are written, and whether a rise is good. */
function Answer({ answer, question }: { answer: Explanation; question: ExplainQuestion }) {
  const name = answer.basis.metric?.name;
  const { data } = useQuery({ ...metricQuery(name ?? ''), enabled: name !== undefined });
  const metric = useMemo(() => explainedMetric(question, data?.metric), [question, data]);
  if (name !== undefined && data === undefined) return <Loading what="the explanation" height={320} />;
  return <ExplainedChange answer={answer} metric={metric} />;
}

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api } from '../../api/client.ts';
import { metricQuery } from '../../api/metrics.ts';
import type { Schemas } from '../../api/schemas.ts';
import { AskElsewhere } from '../../question/ask-elsewhere.tsx';
import { fieldMessages, NoQuestion, QuestionFault, QuestionForm, useForm } from '../../question/question-page.tsx';
import { isAsked } from '../../question/state/asked.ts';
import { useAgent } from '../../shell/remembered.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { Loading } from '../../ui/states.tsx';
import { ExplainedChange } from './answer.tsx';
import { ExplainFields } from './fields.tsx';
import { type ExplainQuestion, type Explanation, formOf, questionOf, shownPaths } from './state.ts';
import { explainedMetric } from './words.ts';

const route = getRouteApi('/shell/explain');
const PATH = '/api/v1/runtime/observability/explain';

/** Why a number changed between two periods. The address contains the question. */
export function Explain() {
  const { question: text } = route.useSearch();
  const navigate = route.useNavigate();
  const agent = useAgent();
  const [form, setForm, ask] = useForm(text, formOf, (question) => {
    void navigate({ search: (before) => ({ ...before, question }), resetScroll: false });
  });
  const asked = useMemo(() => questionOf(formOf(text)), [text]);
  const canAsk = isAsked(asked);
  // Without dateFrom the server says at its field that it is required.
  const body = { ...asked, agentId: agent ?? '*' } as Schemas['ExplainChange'];
  const { data, error, isFetching, isPlaceholderData, refetch } = api.useQuery(
    'post',
    PATH,
    { body },
    { enabled: canAsk, placeholderData: keepPreviousData },
  );
  const messages = fieldMessages(error, shownPaths(formOf(text)));
  const run = () => {
    const question = JSON.stringify(questionOf(form));
    if (question === text) void refetch();
    else ask(question);
  };
  const isShown = error === null && data !== undefined && !isPlaceholderData && canAsk;
  return (
    <>
      <PageHead title="Explain a change" />
      <div className="asking">
        <QuestionForm label="Question" isBusy={isFetching} onRun={run}>
          <ExplainFields form={form} agent={agent} messages={messages} onChange={setForm} />
        </QuestionForm>
        <div className="stack">
          {!canAsk && <NoQuestion text={text} next="Choose a metric or an event, and press Run." />}
          {error !== null && canAsk && <QuestionFault error={error} messages={messages} onRetry={refetch} />}
          {isShown && <Answer answer={data} question={asked} />}
          {canAsk && error === null && !isShown && <Loading what="the explanation" height={320} />}
          {canAsk && <AskElsewhere question={body} path={PATH} tool="explain_change" />}
        </div>
      </div>
    </>
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

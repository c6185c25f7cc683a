import { keepPreviousData } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api } from '../../../api/client.ts';
import { AskElsewhere } from '../../../question/ask-elsewhere.tsx';
import { fieldMessages, NoQuestion, QuestionFault, QuestionForm, useForm } from '../../../question/question-page.tsx';
import { useAgent } from '../../../shell/remembered.ts';
import { PageHead } from '../../../ui/page-head.tsx';
import { Loading } from '../../../ui/states.tsx';
import { TableFields } from './fields.tsx';
import { Result } from './result.tsx';
import { formOf, questionOf, type TableForm, type TableQuestion, withValidSort } from './state.ts';

const route = getRouteApi('/shell/events/query');
const PATH = '/api/v1/runtime/v1/observability/events/query';

export function QueryEvents() {
  const { question: text } = route.useSearch();
  const navigate = route.useNavigate();
  const agent = useAgent();
  const [form, setForm, ask] = useForm(text, formOf, (question) => {
    void navigate({ search: (before) => ({ ...before, question }), resetScroll: false });
  });
  const asked = useMemo(() => questionOf(formOf(text)), [text]);
  const body = { ...asked, agentId: agent ?? '*' };
  const { data, error, isFetching, isPlaceholderData, refetch } = api.useQuery(
    'post',
    PATH,
    { body },
    { enabled: asked.eventName !== '', placeholderData: keepPreviousData },
  );
  const messages = fieldMessages(error, pathsOf(asked));

  const run = () => {
    const next = withValidSort({ ...form, offset: 0 });
    setForm(next);
    const question = JSON.stringify(questionOf(next));
    if (question === text) void refetch();
    else ask(question);
  };
  const move = (members: Pick<TableForm, 'offset'> & Partial<Pick<TableForm, 'sort'>>) => {
    setForm({ ...form, ...members });
    ask(JSON.stringify(questionOf({ ...formOf(text), ...members })));
  };

  return (
    <>
      <PageHead title="Table of events" />
      <div className="asking">
        <QuestionForm label="Question" isBusy={isFetching} onRun={run}>
          <TableFields form={form} agent={agent} messages={messages} onChange={setForm} />
        </QuestionForm>
        <div className="stack">
          {asked.eventName === '' && <NoQuestion text={text} next="Choose an event and press Run." />}
          {error !== null && <QuestionFault error={error} messages={messages} onRetry={refetch} />}
          {error === null && data && <Result table={data} question={asked} isStale={isPlaceholderData} onMove={move} />}
          {error === null && !data && isFetching && <Loading what="the table" height={320} />}
          {asked.eventName !== '' && <AskElsewhere question={body} path={PATH} tool="query_events" />}
        </div>
      </div>
    </>
  );
}

function pathsOf({ filters = [], metrics = [] }: TableQuestion): string[] {
  const own = [
    'eventName',
    'mode',
    'columns',
    'groupBy',
    'metrics',
    'filters',
    'segment',
    'dateFrom',
    'dateTo',
    'timezone',
    'limit',
  ];
  const ofFilters = filters.flatMap((_, index) =>
    ['propertyKey', 'operator', 'value'].map((member) => `filters[${index}].${member}`),
  );
  const ofMetrics = metrics.flatMap((_, index) =>
    ['aggregation', 'propertyKey', 'alias'].map((member) => `metrics[${index}].${member}`),
  );
  return [...own, ...ofFilters, ...ofMetrics];
}

import { keepPreviousData } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api } from '../../../api/client.ts';
import { AskElsewhere } from '../../../question/ask-elsewhere.tsx';
import { fieldMessages, NoQuestion, QuestionFault, QuestionForm, useForm } from '../../../question/question-page.tsx';
import { isAsked } from '../../../question/state/asked.ts';
import { useAgent } from '../../../shell/remembered.ts';
import { PageHead } from '../../../ui/page-head.tsx';
import { Loading } from '../../../ui/states.tsx';
import { KpiAnswer } from './answer.tsx';
import { KpiFields } from './fields.tsx';
import { formOf, type KpiQuestion, questionOf } from './state.ts';

const route = getRouteApi('/shell/events/aggregate');
const PATH = '/api/v1/portal/aggregate';

export function AggregateEvents() {
  const { question: text, chart } = route.useSearch();
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
    { enabled: isAsked(asked), placeholderData: keepPreviousData },
  );
  const messages = fieldMessages(error, pathsOf(asked));

  const run = () => {
    const question = JSON.stringify(questionOf(form));
    if (question === text) void refetch();
    else ask(question);
  };
  const choose = (look: string) => {
    void navigate({ search: (before) => ({ ...before, chart: look }), replace: true, resetScroll: false });
  };

  return (
    <>
      <PageHead title="KPI" />
      <div className="asking">
        <QuestionForm label="Question" isBusy={isFetching} onRun={run}>
          <KpiFields form={form} agent={agent} messages={messages} onChange={setForm} />
        </QuestionForm>
        <div className="stack">
          {!isAsked(asked) && (
            <NoQuestion text={text} next="Choose an event and what to compute, or a metric, and press Run." />
          )}
          {error !== null && <QuestionFault error={error} messages={messages} onRetry={refetch} />}
          {/* An answer of the question before has another shape. */}
          {error === null && data && !isPlaceholderData && (
            <KpiAnswer answer={data} question={asked} chart={chart} onChoose={choose} />
          )}
          {error === null && isFetching && (!data || isPlaceholderData) && <Loading what="the answer" height={320} />}
          {isAsked(asked) && (
            <AskElsewhere
              question={body}
              path={PATH}
              tool="aggregate_events"
              header="Authorization: Bearer TOKEN_OF_A_LOGIN"
            />
          )}
        </div>
      </div>
    </>
  );
}

function pathsOf({ filters = [], numerator }: KpiQuestion): string[] {
  const own = [
    'metric',
    'eventName',
    'aggregation',
    'propertyKey',
    'numerator',
    'numerator.eventName',
    'filters',
    'segment',
  ];
  const others = ['dateFrom', 'dateTo', 'timezone', 'compareTo', 'dateGrouping', 'group_by', 'limit'];
  const ofFilters = (path: string, given: readonly unknown[]) =>
    given.flatMap((_, index) => ['propertyKey', 'operator', 'value'].map((member) => `${path}[${index}].${member}`));
  return [
    ...own,
    ...others,
    ...ofFilters('filters', filters),
    'numerator.filters',
    ...ofFilters('numerator.filters', numerator?.filters ?? []),
  ];
}

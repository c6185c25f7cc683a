import { QUERY_EVENTS } from '../../../api/answers.ts';
import { api } from '../../../api/client.ts';
import { QuestionPage } from '../../../question/question-page.tsx';
import { TableFields } from './fields.tsx';
import { Result } from './result.tsx';
import { formOf, pathsOf, questionOf, withValidSort } from './state.ts';

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

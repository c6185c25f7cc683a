import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RefObject } from 'react';
import { answerOf, api, client } from '../../../api/client.ts';
import { statusOf } from '../../../api/errors.ts';
import { useSession } from '../../../api/session.ts';
import { t } from '../../../language/index.ts';
import { Waterfall } from '../../../transcript/steps/waterfall.tsx';
import { Section } from '../../../ui/page-head.tsx';
import { EmptyState, QueryState } from '../../../ui/states.tsx';
import { answerText } from '../../executions/detail/state.ts';
import { Transcript } from '../../executions/detail/transcript.tsx';
import { EXECUTION, type Execution } from '../../executions/executions.ts';
import { assessmentsOf, RUBRIC, type Rubric, reviewOf } from '../api.ts';
import { Editor } from '../review/editor.tsx';
import type { QueueWork } from './use-queue.ts';

interface ItemContentProps {
  heading: RefObject<HTMLHeadingElement | null>;
  executionId: string;
  rubricName: string | undefined;
  work: Pick<QueueWork, 'isBusy' | 'save'>;
}

/** An execution, and the form of its review beside it. */
export function ItemContent({ heading, executionId, rubricName, work }: ItemContentProps) {
  const query = api.useQuery('get', EXECUTION, { params: { path: { executionId } } });
  const { data: execution } = query;
  return (
    <div className="review-work">
      <div className="stack">
        <h2 ref={heading} tabIndex={-1} className="breaking">
          <bdi>{execution?.name ?? executionId}</bdi>
        </h2>
        {execution && <Places execution={execution} />}
        {statusOf(query.error) === 404 ? <Erased /> : <QueryState query={query} height={480} />}
        {execution && (
          <>
            <Transcript execution={execution} />
            <Steps execution={execution} />
          </>
        )}
      </div>
      {execution && <Form execution={execution} rubricName={rubricName} work={work} />}
    </div>
  );
}

/** Several executions may have one name: the way to this one, and to what was said before. */
function Places({ execution: { id, threadId } }: { execution: Execution }) {
  return (
    <p className="row small">
      <Link to="/executions/$id" params={{ id }} preload={false}>
        {t('The execution')}
      </Link>
      {threadId !== null && (
        <Link to="/threads/$id" params={{ id: threadId }} preload={false}>
          {t('Its thread')}
        </Link>
      )}
    </p>
  );
}

function Erased() {
  return (
    <EmptyState title={t('This execution is not there any more')}>
      <p>{t('It was erased, or its time to be kept is over. Skip it.')}</p>
    </EmptyState>
  );
}

function Steps({ execution: { steps, status, stepsTotal } }: { execution: Execution }) {
  // The conversation shows the calls in its messages, which have no times.
  const timed = steps.filter((step): step is typeof step & { startedAt: string } => step.startedAt !== null);
  if (timed.length === 0) return null;
  return (
    <Section id="steps" title={t('Steps')}>
      <Waterfall steps={timed} isRunning={status === 'running'} total={Math.max(timed.length, stepsTotal)} />
    </Section>
  );
}

/** The form's beginning is read once, so that nothing changes below the hands of the person. */
const ONCE = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 };

function Form({
  execution,
  rubricName,
  work,
}: { execution: Execution } & Pick<ItemContentProps, 'rubricName' | 'work'>) {
  const { user } = useSession();
  const query = useQuery({
    queryKey: ['before a review', execution.id, rubricName],
    queryFn: async () => {
      const [review, rubric] = await Promise.all([
        reviewOf(execution.id),
        rubricName === undefined ? null : read(rubricName),
      ]);
      const assessments = rubric === null ? [] : await assessmentsOf(execution.id);
      const own = assessments.find((one) => one.rubric === rubric?.name && one.assessor.id === user.id) ?? null;
      return { review, rubric, own };
    },
    ...ONCE,
  });
  const { data } = query;
  return (
    <div className="review-form">
      <QueryState query={query} height={320} />
      {data && <Editor executionId={execution.id} answer={answerText(execution)} {...data} work={work} />}
    </div>
  );
}

function read(name: string): Promise<Rubric> {
  return answerOf(client.GET(RUBRIC, { params: { path: { name } } }));
}

import { useQuery } from '@tanstack/react-query';
import type { RefObject } from 'react';
import { answerOf, api, client } from '../../../api/client.ts';
import { statusOf } from '../../../api/errors.ts';
import { useSession } from '../../../api/session.ts';
import { Conversation } from '../../../transcript/conversation/conversation.tsx';
import { Waterfall } from '../../../transcript/steps/waterfall.tsx';
import { Value } from '../../../transcript/value.tsx';
import { Section } from '../../../ui/page-head.tsx';
import { EmptyState, QueryState } from '../../../ui/states.tsx';
import { ASSESSMENTS, type Assessment, EXECUTION, type Execution, RUBRIC, type Rubric, reviewOf } from '../api.ts';
import { answerText, saysMore } from '../review/answer.ts';
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
        {statusOf(query.error) === 404 ? <Erased /> : <QueryState query={query} what="the execution" height={480} />}
        {execution && <Transcript execution={execution} />}
      </div>
      {execution && <Form execution={execution} rubricName={rubricName} work={work} />}
    </div>
  );
}

function Erased() {
  return (
    <EmptyState title="This execution is not there any more">
      <p>It was erased, or its time to be kept is over. Skip it.</p>
    </EmptyState>
  );
}

function Transcript({ execution }: { execution: Execution }) {
  const { messages, output, steps, status } = execution;
  // The conversation shows the calls in its messages, which have no times.
  const timed = steps.filter((step): step is typeof step & { startedAt: string } => step.startedAt !== null);
  return (
    <>
      <Section id="conversation" title="Conversation">
        {messages.length > 0 ? (
          <Conversation messages={messages} />
        ) : (
          <p className="muted">No messages were recorded.</p>
        )}
      </Section>
      {saysMore(execution) && (
        <Section id="output" title="Output">
          <Value value={output} label="Output" />
        </Section>
      )}
      {timed.length > 0 && (
        <Section id="steps" title="Steps">
          <Waterfall
            steps={timed}
            isRunning={status === 'running'}
            total={Math.max(timed.length, execution.stepsTotal)}
          />
        </Section>
      )}
    </>
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
      return { review, rubric, own: rubric && (await ownAssessment(execution.id, rubric, user.id)) };
    },
    ...ONCE,
  });
  const { data } = query;
  return (
    <div className="review-form">
      <QueryState query={query} what="the review" height={320} />
      {data && <Editor executionId={execution.id} answer={answerText(execution)} {...data} work={work} />}
    </div>
  );
}

function read(name: string): Promise<Rubric> {
  return answerOf(client.GET(RUBRIC, { params: { path: { name } } }));
}

/** The person's earlier answers to the rubric; null without any. */
async function ownAssessment(executionId: string, { name }: Rubric, userId: string): Promise<Assessment | null> {
  let cursor: string | undefined;
  do {
    const query = { limit: 100, ...(cursor !== undefined && { cursor }) };
    const page = await answerOf(client.GET(ASSESSMENTS, { params: { path: { executionId }, query } }));
    const own = page.assessments.find(({ rubric, assessor }) => rubric === name && assessor.id === userId);
    if (own) return own;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return null;
}

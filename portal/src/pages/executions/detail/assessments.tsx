import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api } from '../../../api/client.ts';
import { useSession } from '../../../api/session.ts';
import { t } from '../../../language/index.ts';
import { LongText } from '../../../transcript/long-text.tsx';
import { Actions } from '../../../ui/item-list.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { Section } from '../../../ui/page-head.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { ASSESSMENTS, type Assessment, assessmentsOf, RUBRIC } from '../../reviews/api.ts';
import { answersInWords } from '../../reviews/review/rubric.ts';

const AssessDialog = lazyDialog(() => import('./assess-dialog.tsx'));
const DeleteAssessment = lazyDialog(async () => ({ default: (await import('./assess-dialog.tsx')).DeleteAssessment }));

/** The assessments of an execution by people, judges and programs, oldest first. */
export function Assessments({ executionId }: { executionId: string }) {
  const { can, user } = useSession();
  const query = useQuery({
    queryKey: ['assessments', ASSESSMENTS, executionId],
    queryFn: () => assessmentsOf(executionId),
    enabled: can('reviews:read'),
  });
  const [asked, setAsked] = useState<{ for: 'answers' | 'delete'; own: Assessment | null }>();
  if (!can('reviews:read')) return null;
  const { data: assessments } = query;
  const isOwn = ({ assessor }: Assessment) => assessor.type === 'user' && assessor.id === user.id;
  const reason = can('reviews:write') ? undefined : t('Your role lets you read assessments, not write them.');
  const close = () => setAsked(undefined);
  const change = (own: Assessment | null) => () => setAsked({ for: 'answers', own });
  return (
    <Section id="assessments" title={t('Assessments')} className="panel padded stack">
      <QueryState query={query} />
      {assessments?.length === 0 && <p className="muted">{t('Nobody has assessed it.')}</p>}
      {assessments?.map((one) => (
        <OneAssessment key={one.id} assessment={one}>
          {isOwn(one) && (
            <div className="row">
              <Actions
                actions={[
                  {
                    label: t('Change'),
                    name: t('Change your answers to {rubric}', { rubric: one.rubric }),
                    reason,
                    onClick: change(one),
                  },
                  {
                    label: t('Delete'),
                    name: t('Delete your answers to {rubric}', { rubric: one.rubric }),
                    reason,
                    onClick: () => setAsked({ for: 'delete', own: one }),
                  },
                ]}
              />
            </div>
          )}
        </OneAssessment>
      ))}
      {assessments && (
        <div className="row">
          <Actions actions={[{ label: t('Assess it'), name: t('Assess it'), reason, onClick: change(null) }]} />
        </div>
      )}
      {assessments && asked?.for === 'answers' && (
        <AssessDialog
          executionId={executionId}
          own={asked.own}
          answered={assessments.filter(isOwn).map(({ rubric }) => rubric)}
          onClose={close}
        />
      )}
      {asked?.for === 'delete' && asked.own && <DeleteAssessment assessment={asked.own} onClose={close} />}
    </Section>
  );
}

const BY_WHOM = {
  user: '{rubric} by {who} on {time}',
  key: '{rubric} by the API key {who} on {time}',
  judge: '{rubric} by the judge {who} on {time}',
} as const;

function OneAssessment({ assessment, children }: { assessment: Assessment; children: ReactNode }) {
  const { rubric: name, version, assessor, answers, comment, updatedAt } = assessment;
  const reference = `${name}@${version}`;
  const asked = { params: { path: { name: reference } } };
  const { data: rubric } = api.useQuery('get', RUBRIC, asked, { staleTime: Number.POSITIVE_INFINITY });
  return (
    <article className="stack tight" aria-label={t('{rubric} by {who}', { rubric: reference, who: assessor.label })}>
      <h3 className="breaking">{rubric?.title ?? name}</h3>
      <p className="small muted breaking">
        {t.nodes(BY_WHOM[assessor.type], {
          rubric: <code>{reference}</code>,
          who: <bdi>{assessor.label}</bdi>,
          time: <Time iso={updatedAt} />,
        })}
      </p>
      <dl className="stack tight">
        {answersInWords(rubric?.questions, answers).map(({ id, text, answer }) => (
          <div key={id}>
            <dt className="small muted breaking" dir="auto">
              {text}
            </dt>
            <dd className="breaking">
              <LongText text={answer} />
            </dd>
          </div>
        ))}
      </dl>
      {comment !== null && <LongText text={comment} />}
      {children}
    </article>
  );
}

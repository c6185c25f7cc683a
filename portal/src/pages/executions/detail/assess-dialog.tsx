import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answerOf, client } from '../../../api/client.ts';
import { t } from '../../../language/index.ts';
import { ActDialog, Dialog } from '../../../ui/dialog.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { ASSESSMENTS, type Assessment, invalidateReviews, type Rubric, rubricsQuery } from '../../reviews/api.ts';
import { NO_ANSWERS, rubricFormOf } from '../../reviews/review/rubric.ts';
import { RubricFields } from '../../reviews/review/rubric-fields.tsx';
import { saveAnswers } from '../../reviews/review/save.ts';

interface AssessDialogProps {
  executionId: string;
  /** The person's answers to change; null: to another rubric. */
  own: Assessment | null;
  /** The rubrics that the person has answered. */
  answered: readonly string[];
  onClose(): void;
}

/** The newest versions are read as the dialog opens, so that no question changes below the hands of the person. */
const ONCE = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 };

/** The questions of a rubric about an execution. An earlier answer is changed in the newest version. */
export default function AssessDialog(props: AssessDialogProps) {
  const { own, answered, onClose } = props;
  const query = useQuery({ ...rubricsQuery, queryKey: ['before an assessment'], ...ONCE });
  const rubrics = query.data?.filter(({ name }) => (own === null ? !answered.includes(name) : name === own.rubric));
  if (rubrics?.length) return <AnswerForm {...props} rubrics={rubrics} />;
  return (
    <Dialog open onClose={onClose} title={t('Assess it')}>
      <QueryState query={query} height={320} />
      {rubrics && (
        <p>
          {answered.length > 0
            ? t('You have answered every rubric.')
            : t('An assessment answers a rubric: a set of questions.')}{' '}
          <Link to="/reviews">{answered.length > 0 ? t('Make another') : t('Make a rubric')}</Link>
        </p>
      )}
    </Dialog>
  );
}

function AnswerForm({ executionId, own, rubrics, onClose }: AssessDialogProps & { rubrics: readonly Rubric[] }) {
  const of = (name: string) => rubrics.find((rubric) => rubric.name === name)!;
  return (
    <FormDialog
      title={own === null ? t('Assess it') : t('Change your answers')}
      act={t('Save')}
      start={{ rubric: rubrics[0]!.name, ...rubricFormOf(own) }}
      onSubmit={({ rubric, ...form }) => saveAnswers(executionId, of(rubric), form, own)}
      invalidate={invalidateReviews}
      done={t('Your answers were saved')}
      onClose={onClose}
    >
      {({ form, messages, onChange }) => (
        <>
          {rubrics.length > 1 && (
            <SelectField
              label={t('Rubric')}
              value={form.rubric}
              options={rubrics.map(({ name, title }) => ({ value: name, label: title }))}
              onChoose={(rubric) => onChange({ ...NO_ANSWERS, rubric })}
            />
          )}
          <RubricFields rubric={of(form.rubric)} form={form} error={messages.at('answers')} onChange={onChange} />
        </>
      )}
    </FormDialog>
  );
}

export function DeleteAssessment({ assessment, onClose }: { assessment: Assessment; onClose(): void }) {
  const { executionId, id: assessmentId, rubric } = assessment;
  const path = { executionId, assessmentId };
  return (
    <ActDialog
      title={t('Delete your answers?')}
      description={t('What you answered to “{rubric}” is lost for good. You may assess the execution again.', {
        rubric,
      })}
      act={t('Delete')}
      onAct={() => answerOf(client.DELETE(`${ASSESSMENTS}/{assessmentId}`, { params: { path } }))}
      invalidate={invalidateReviews}
      done={t('Your answers were deleted')}
      onClose={onClose}
    />
  );
}

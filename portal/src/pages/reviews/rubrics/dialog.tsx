import { answerOf, client } from '../../../api/client.ts';
import type { FieldMessages } from '../../../api/field-messages.ts';
import { versionedAnswerOf } from '../../../api/versions.ts';
import { EditDialog } from '../../../editor/edit-dialog.tsx';
import { TitleFields } from '../../../editor/meaning-fields.tsx';
import { changedOf, nameOfTitle } from '../../../editor/values.ts';
import { t } from '../../../language/index.ts';
import type { Bound } from '../../../ui/bind.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField, TextArea, TextField, typing } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { invalidateReviews, RUBRIC, RUBRICS, type Rubric } from '../api.ts';
import {
  definitionOf,
  NEW_QUESTION,
  PATHS,
  pathOf,
  type QuestionForm,
  type RubricDefinition,
  requestOf,
  TYPES,
  wordsOf,
} from './form.ts';

interface RubricDialogProps {
  /** The rubric whose next version is made; null for a new one. */
  rubric: Rubric | null;
  onClose(): void;
}

/** The form of a rubric. */
export default function RubricDialog({ rubric, onClose }: RubricDialogProps) {
  return rubric === null ? <NewRubric onClose={onClose} /> : <NextVersion rubric={rubric} onClose={onClose} />;
}

function NewRubric({ onClose }: { onClose(): void }) {
  const create = (form: RubricDefinition) => {
    const name = form.name.trim() || nameOfTitle(form.title);
    return answerOf(client.POST(RUBRICS, { body: { name, ...requestOf(form) } }));
  };
  return (
    <FormDialog
      title={t('New rubric')}
      description={t('Questions that several people answer about an execution.')}
      act={t('Create')}
      start={definitionOf(null)}
      paths={PATHS}
      onSubmit={create}
      invalidate={invalidateReviews}
      done={t('The rubric was created')}
      onClose={onClose}
    >
      {(part) => <RubricFields part={part} isNew />}
    </FormDialog>
  );
}

function NextVersion({ rubric, onClose }: { rubric: Rubric; onClose(): void }) {
  const { name, title } = rubric;
  return (
    <EditDialog
      title={t('New version of {title}', { title })}
      description={t('A change makes a new version; answers keep theirs.')}
      stored={{ data: rubric, etag: `"${rubric.version}"` }}
      read={() => versionedAnswerOf<Rubric>(client.GET(RUBRIC, { params: { path: { name } } }))}
      formOf={definitionOf}
      wordsOf={wordsOf}
      paths={PATHS}
      changesOf={(form, before) => changedOf(requestOf(form), requestOf(before))}
      send={(body, etag) =>
        answerOf(client.PATCH(RUBRIC, { params: { path: { name }, header: { 'if-match': etag } }, body }))
      }
      invalidate={invalidateReviews}
      done={t('The rubric was changed')}
      onClose={onClose}
    >
      {(part) => <RubricFields part={part} isNew={false} />}
    </EditDialog>
  );
}

function RubricFields({ part, isNew }: { part: Bound<RubricDefinition>; isNew: boolean }) {
  const { form, messages, onChange } = part;
  return (
    <>
      <TitleFields part={part} isNew={isNew} titlePlaceholder={t('Quality of answers')} />
      <Questions questions={form.questions} messages={messages} onChange={(questions) => onChange({ questions })} />
    </>
  );
}

interface QuestionsProps {
  questions: readonly QuestionForm[];
  messages: FieldMessages;
  onChange(questions: QuestionForm[]): void;
}

function Questions({ questions, messages, onChange }: QuestionsProps) {
  return (
    <>
      {questions.map((question, index) => (
        <QuestionFields
          // biome-ignore lint/suspicious/noArrayIndexKey: new questions have no ids, and hold no state of their own
          key={index}
          number={index + 1}
          question={question}
          errorAt={(member) => messages.at(pathOf(index, member))}
          onChange={(members) => onChange(questions.with(index, { ...question, ...members }))}
          {...(questions.length > 1 && { onRemove: () => onChange(questions.toSpliced(index, 1)) })}
        />
      ))}
      {messages.at('questions') && <p className="field-error">{messages.at('questions')}</p>}
      <div className="row">
        <Button icon="add" onClick={() => onChange([...questions, NEW_QUESTION])}>
          {t('Add a question')}
        </Button>
      </div>
    </>
  );
}

interface QuestionFieldsProps {
  /** From 1. */
  number: number;
  question: QuestionForm;
  errorAt(member: keyof QuestionForm): string | undefined;
  onChange(members: Partial<QuestionForm>): void;
  onRemove?(): void;
}

function QuestionFields({ number, question, errorAt, onChange, onRemove }: QuestionFieldsProps) {
  const typed = (member: 'text' | 'choices' | 'guidance') => ({
    error: errorAt(member),
    ...typing(question[member], (text) => onChange({ [member]: text })),
  });
  return (
    <fieldset className="stack tight">
      <legend>{t('Question {number}', { number })}</legend>
      <TextField
        label={t('Question')}
        placeholder={t('Was it polite?')}
        maxLength={500}
        dir="auto"
        {...typed('text')}
      />
      <div className="fields">
        <SelectField
          label={t('Answer')}
          value={question.type}
          options={TYPES}
          onChoose={(type) => onChange({ type })}
        />
        <TextField
          label={t('Guidance')}
          placeholder={t('How to answer it')}
          maxLength={2_000}
          dir="auto"
          {...typed('guidance')}
        />
      </div>
      {question.type === 'choice' && (
        <TextArea label={t('Choices')} help={t('One a line.')} dir="auto" {...typed('choices')} />
      )}
      {onRemove && (
        <div className="row">
          <Button aria-label={t('Remove question {number}', { number })} onClick={onRemove}>
            {t('Remove')}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

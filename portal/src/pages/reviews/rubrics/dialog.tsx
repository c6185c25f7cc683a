import { answerOf, client } from '../../../api/client.ts';
import type { FieldMessages } from '../../../api/field-messages.ts';
import { changedOf, nameOfTitle } from '../../../editor/values.ts';
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
} from './form.ts';

interface RubricDialogProps {
  /** The rubric whose next version is made; null for a new one. */
  rubric: Rubric | null;
  onClose(): void;
}

/** The form of a rubric. */
export default function RubricDialog({ rubric, onClose }: RubricDialogProps) {
  const start = definitionOf(rubric);
  const send = async (form: RubricDefinition) => {
    const request = requestOf(form);
    if (rubric === null) {
      const name = form.name.trim() || nameOfTitle(form.title);
      return answerOf(client.POST(RUBRICS, { body: { name, ...request } }));
    }
    const body = changedOf(request, requestOf(start));
    if (Object.keys(body).length === 0) return undefined;
    return answerOf(client.PATCH(RUBRIC, { params: { path: { name: rubric.name } }, body }));
  };
  return (
    <FormDialog
      title={rubric === null ? 'New rubric' : `New version of ${rubric.title}`}
      description="Questions that several people answer about an execution. A change makes a new version; answers keep theirs."
      act={rubric === null ? 'Create' : 'Save'}
      start={start}
      paths={PATHS}
      onSubmit={send}
      invalidate={invalidateReviews}
      done={rubric === null ? 'The rubric was created' : 'The rubric was changed'}
      onClose={onClose}
    >
      {({ form, field, messages, onChange }) => (
        <>
          <div className="fields">
            <TextField label="Title" placeholder="Quality of answers" maxLength={200} {...field.text('title')} />
            {rubric === null && (
              <TextField
                label="Name"
                help="It never changes. If empty, it is made of the title."
                placeholder={nameOfTitle(form.title)}
                maxLength={100}
                {...field.text('name')}
              />
            )}
          </div>
          <Questions questions={form.questions} messages={messages} onChange={(questions) => onChange({ questions })} />
        </>
      )}
    </FormDialog>
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
          name={`Question ${index + 1}`}
          question={question}
          errorAt={(member) => messages.at(pathOf(index, member))}
          onChange={(members) => onChange(questions.with(index, { ...question, ...members }))}
          {...(questions.length > 1 && { onRemove: () => onChange(questions.toSpliced(index, 1)) })}
        />
      ))}
      {messages.at('questions') && <p className="field-error">{messages.at('questions')}</p>}
      <div className="row">
        <Button icon="add" onClick={() => onChange([...questions, NEW_QUESTION])}>
          Add a question
        </Button>
      </div>
    </>
  );
}

const TYPES = [
  { value: 'boolean', label: 'Yes or no' },
  { value: 'choice', label: 'One of some' },
  { value: 'scale', label: '1 to 5' },
  { value: 'text', label: 'A text' },
] as const;

interface QuestionFieldsProps {
  /** "Question 2" */
  name: string;
  question: QuestionForm;
  errorAt(member: keyof QuestionForm): string | undefined;
  onChange(members: Partial<QuestionForm>): void;
  onRemove?(): void;
}

function QuestionFields({ name, question, errorAt, onChange, onRemove }: QuestionFieldsProps) {
  const typed = (member: 'text' | 'choices' | 'guidance') => ({
    error: errorAt(member),
    ...typing(question[member], (text) => onChange({ [member]: text })),
  });
  return (
    <fieldset className="stack tight">
      <legend>{name}</legend>
      <TextField label="Question" placeholder="Was it polite?" maxLength={500} dir="auto" {...typed('text')} />
      <div className="fields">
        <SelectField label="Answer" value={question.type} options={TYPES} onChoose={(type) => onChange({ type })} />
        <TextField
          label="Guidance"
          placeholder="How to answer it"
          maxLength={2_000}
          dir="auto"
          {...typed('guidance')}
        />
      </div>
      {question.type === 'choice' && <TextArea label="Choices" help="One a line." dir="auto" {...typed('choices')} />}
      {onRemove && (
        <div className="row">
          <Button aria-label={`Remove ${name.toLowerCase()}`} onClick={onRemove}>
            Remove
          </Button>
        </div>
      )}
    </fieldset>
  );
}

import { t } from '../../../language/index.ts';
import { Choices } from '../../../ui/choices.tsx';
import { TextArea, typing } from '../../../ui/field.tsx';
import type { Rubric } from '../api.ts';
import { choicesOf, type RubricForm } from './rubric.ts';

interface RubricFieldsProps {
  rubric: Rubric;
  form: RubricForm;
  error: string | undefined;
  onChange(members: Partial<RubricForm>): void;
}

/** The questions of a rubric, and a comment on the answers. They become the person's own assessment. */
export function RubricFields({ rubric, form, error, onChange }: RubricFieldsProps) {
  const { answers, comment } = form;
  const answer = (id: string) => (value: string) => onChange({ answers: { ...answers, [id]: value } });
  return (
    <section className="stack" aria-label={rubric.title} data-part="answers">
      <h3>{rubric.title}</h3>
      {error !== undefined && <p className="field-error">{error}</p>}
      {rubric.questions.map((question) => {
        const { id, text, type, guidance } = question;
        const value = answers[id] ?? '';
        if (type === 'text')
          return <TextArea key={id} label={text} help={guidance} dir="auto" {...typing(value, answer(id))} />;
        return (
          <div key={id} className="across">
            <Choices legend={text} value={value} choices={choicesOf(question)} onChoose={answer(id)} />
            {guidance && <p className="field-help">{guidance}</p>}
          </div>
        );
      })}
      <TextArea
        label={t('Comment on your answers')}
        dir="auto"
        {...typing(comment, (text) => onChange({ comment: text }))}
      />
    </section>
  );
}

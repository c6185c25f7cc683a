import type { FieldMessages } from '../../../api/field-messages.ts';
import { nameOfTitle } from '../../../editor/values.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import { DIRECTIONS } from '../words.ts';
import type { MetricForm } from './state.ts';

export interface MetricPartProps {
  form: MetricForm;
  messages: FieldMessages;
  onChange(members: Partial<MetricForm>): void;
}

/** What the metric means, for people and for searches. */
export function MeaningPart({ form, messages, isNew, onChange }: MetricPartProps & { isNew: boolean }) {
  return (
    <section className="panel padded stack" aria-labelledby="meaning">
      <h2 id="meaning">Meaning</h2>
      <div className="fields">
        <TextField
          label="Title"
          value={form.title}
          maxLength={200}
          error={messages.at('title')}
          onChange={(event) => onChange({ title: event.currentTarget.value })}
        />
        {isNew && (
          <TextField
            label="Name"
            help="Questions ask for it by this name, which never changes. If empty, it is made of the title."
            placeholder={nameOfTitle(form.title)}
            value={form.name}
            maxLength={100}
            error={messages.at('name')}
            onChange={(event) => onChange({ name: event.currentTarget.value })}
          />
        )}
      </div>
      <TextArea
        label="Description"
        help="What it means, and what it leaves out."
        value={form.description}
        maxLength={2_000}
        error={messages.at('description')}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      <div className="fields">
        <TextField
          label="Synonyms"
          help="Other names that people use for it, separated by commas."
          value={form.synonyms}
          error={messages.at('synonyms')}
          onChange={(event) => onChange({ synonyms: event.currentTarget.value })}
        />
        <TextField
          label="Owner"
          help="Who answers questions about it."
          value={form.owner}
          maxLength={200}
          error={messages.at('owner')}
          onChange={(event) => onChange({ owner: event.currentTarget.value })}
        />
      </div>
    </section>
  );
}

/** How its values are written, and which of them are good. */
export function FormatPart({ form, messages, onChange }: MetricPartProps) {
  const { format } = form;
  const change = (members: Partial<MetricForm['format']>) => onChange({ format: { ...format, ...members } });
  return (
    <section className="panel padded stack" aria-labelledby="values">
      <h2 id="values">Values</h2>
      <div className="fields">
        <SelectField
          label="Good direction"
          value={form.goodDirection}
          options={DIRECTIONS}
          error={messages.at('goodDirection')}
          onChoose={(goodDirection) => onChange({ goodDirection })}
        />
        <SelectField
          label="Written"
          value={format.percent ? 'percent' : 'number'}
          options={[
            { value: 'number', label: 'As computed' },
            { value: 'percent', label: 'In percent: 0.25 is 25%' },
          ]}
          error={messages.at('format.percent')}
          onChoose={(chosen) => change({ percent: chosen === 'percent' })}
        />
        <TextField
          label="Unit"
          placeholder="USD, minutes"
          value={form.unit}
          maxLength={30}
          error={messages.at('unit')}
          onChange={(event) => onChange({ unit: event.currentTarget.value })}
        />
      </div>
      <div className="fields">
        <TextField
          label="Before it"
          value={format.prefix}
          error={messages.at('format.prefix')}
          onChange={(event) => change({ prefix: event.currentTarget.value })}
        />
        <TextField
          label="After it"
          value={format.suffix}
          error={messages.at('format.suffix')}
          onChange={(event) => change({ suffix: event.currentTarget.value })}
        />
        <TextField
          label="Decimals"
          inputMode="numeric"
          placeholder="As needed"
          value={format.decimals}
          error={messages.at('format.decimals')}
          onChange={(event) => change({ decimals: event.currentTarget.value })}
        />
      </div>
    </section>
  );
}

import type { EditorPartProps } from '../../../editor/editor-page.tsx';
import { MeaningFields } from '../../../editor/meaning-fields.tsx';
import { bind } from '../../../ui/bind.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { DIRECTIONS } from '../words.ts';
import type { MetricForm } from './state.ts';

/** The meaning of the metric, for people and for searches. */
export function MeaningPart({ isNew, part }: { isNew: boolean; part: EditorPartProps<MetricForm> }) {
  const field = bind(part);
  return (
    <section className="panel padded stack" aria-labelledby="meaning">
      <h2 id="meaning">Meaning</h2>
      <MeaningFields
        part={part}
        isNew={isNew}
        nameHelp="Questions ask for it by this name, which never changes."
        descriptionHelp="What it means, and what it leaves out."
      />
      <div className="fields">
        <TextField
          label="Synonyms"
          help="Other names that people use for it, separated by commas."
          {...field.text('synonyms')}
        />
        <TextField label="Owner" help="Who answers questions about it." maxLength={200} {...field.text('owner')} />
      </div>
    </section>
  );
}

/** How its values are written, and which of them are good. */
export function FormatPart({ form, messages, onChange }: EditorPartProps<MetricForm>) {
  const field = bind({ form, messages, onChange });
  const { format } = form;
  const change = (members: Partial<MetricForm['format']>) => onChange({ format: { ...format, ...members } });
  const formatField = bind({ form: format, messages, onChange: change }, 'format.');
  return (
    <section className="panel padded stack" aria-labelledby="values">
      <h2 id="values">Values</h2>
      <div className="fields">
        <SelectField label="Good direction" options={DIRECTIONS} {...field.choice('goodDirection')} />
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
        <TextField label="Unit" placeholder="USD, minutes" maxLength={30} {...field.text('unit')} />
      </div>
      <div className="fields">
        <TextField label="Before it" {...formatField.text('prefix')} />
        <TextField label="After it" {...formatField.text('suffix')} />
        <TextField label="Decimals" inputMode="numeric" placeholder="As needed" {...formatField.text('decimals')} />
      </div>
    </section>
  );
}
